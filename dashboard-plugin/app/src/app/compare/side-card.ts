import { ChangeDetectionStrategy, Component, input } from '@angular/core';
import { Description } from '../models/comparison';
import { Link } from '../shared/link';

/** Describe one side of a comparison. */
@Component({
  selector: 'pc-side-card',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Link],
  template: `<div class="side side-{{ kind() }}">
    <h3>
      <span class="side-mark" aria-hidden="true"></span>{{ side().label }}
      <span class="muted small light">{{ roleText() }}</span>
      @if (side().emulated) {
        <span class="tag tag-warn" i18n>emulated</span>
      }
    </h3>
    <p>
      @if (side().osds) {
        <ng-container i18n>{side().osds, plural,
          =1 {1 OSD}
          other {{{ side().osds }} OSDs}
        }</ng-container>
      } @else {
        <span class="muted" i18n>OSDs not recorded</span>
      }
      @if (side().hosts.length) {
        {{ ' ' }}<ng-container i18n>on {{ side().hosts.join(', ') }}</ng-container>
      }
    </p>
    <p class="muted">
      {{ facts() }}
    </p>
    <p class="muted small">
      @for (run of side().runs; track run) {
        <a [pcLink]="'/runs/' + run" i18n>run {{ run }}</a>
        {{ $last ? '' : ', ' }}
      }
    </p>
  </div>`,
})
export class SideCard {
  readonly side = input.required<Description>();
  readonly kind = input.required<'baseline' | 'candidate'>();

  protected roleText(): string {
    return this.kind() === 'baseline' ? $localize`baseline` : $localize`candidate`;
  }

  protected facts(): string {
    const side = this.side();
    return [
      side.arch.join(', '),
      side.cpu.join(', '),
      side.ceph_version.length ? `Ceph ${side.ceph_version.join(', ')}` : '',
      ...side.labels,
      ...side.notes.filter((note) => note !== 'emulated'),
    ]
      .filter(Boolean)
      .join(' · ');
  }
}
