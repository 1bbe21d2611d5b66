import { ChangeDetectionStrategy, Component, computed, input, signal } from '@angular/core';
import { PreflightReport, Severity } from '../models/plan';
import { CardHead } from '../shared/card-head';

const ORDER: readonly Severity[] = ['refuse', 'warn', 'info', 'ok'];
const ICONS: Record<Severity, string> = { refuse: '✕', warn: '!', info: 'i', ok: '✓' };
const TEXTS: Record<Severity, string> = {
  refuse: $localize`refused`,
  warn: $localize`warnings`,
  info: $localize`noted`,
  ok: $localize`ok`,
};

/** Show the checks before a run, the grave ones first. */
@Component({
  selector: 'pc-preflight',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [CardHead],
  template: `<section class="card" aria-labelledby="preflight-title">
    <pc-card-head name="preflight-title"
      ><ng-container i18n>Checks</ng-container>
      <p aside class="counts">
        @for (item of counts(); track item.severity) {
          <span class="count" [class.count-zero]="!item.count">
            <span class="count-mark severity-{{ item.severity }}" aria-hidden="true">{{
              item.icon
            }}</span>
            <strong>{{ item.count }}</strong> {{ item.text }}
          </span>
        }
      </p>
    </pc-card-head>
    <ul class="checks">
      @for (check of shown(); track $index) {
        <li>
          <span class="count-mark severity-{{ check.severity }}" aria-hidden="true">{{
            icons[check.severity]
          }}</span>
          <div>
            <strong class="mono">{{ check.id }}</strong>
            <span class="visually-hidden">{{ texts[check.severity] }}</span>
            {{ check.message }}
            @if (check.remedy) {
              <span class="block muted">→ {{ check.remedy }}</span>
            }
          </div>
        </li>
      }
    </ul>
    @if (hidden()) {
      <button type="button" class="button button-quiet button-small" (click)="all.set(true)" i18n>
        Show all that passed ({{ hidden() }} more)
      </button>
    }
  </section>`,
})
export class PreflightView {
  readonly report = input.required<PreflightReport>();
  protected readonly all = signal(false);
  protected readonly icons = ICONS;
  protected readonly texts = TEXTS;
  private readonly sorted = computed(() =>
    [...this.report().checks].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity)),
  );
  protected readonly shown = computed(() =>
    this.all() ? this.sorted() : this.sorted().filter((check) => check.severity !== 'ok'),
  );
  protected readonly hidden = computed(() => this.sorted().length - this.shown().length);
  protected readonly counts = computed(() =>
    ORDER.map((severity) => ({
      severity,
      icon: ICONS[severity],
      text: TEXTS[severity],
      count: this.report().checks.filter((check) => check.severity === severity).length,
    })),
  );
}
