import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { RunState, hasEnded } from '../models/run';
import { stateText } from './states';

const ICONS: Partial<Record<RunState, string>> = {
  completed: '✓',
  failed: '✕',
  aborted: '✕',
  cancelled: '◼',
  interrupted: '!',
  queued: '…',
  resuming: '↻',
};

/** Show the state of a run as icon, word and color. */
@Component({
  selector: 'pc-run-state',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `<span class="tag state-{{ kind() }}"
    ><span class="tag-icon" aria-hidden="true">{{ icon() }}</span>
    <span class="tag-text">{{ word() }}</span></span
  >`,
})
export class RunStateTag {
  readonly state = input.required<RunState>();
  protected readonly word = computed(() => stateText(this.state()));
  protected readonly icon = computed(() => ICONS[this.state()] ?? '▶');
  protected readonly kind = computed(() => (hasEnded(this.state()) ? this.state() : 'active'));
}
