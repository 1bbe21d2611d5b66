import { ChangeDetectionStrategy, Component, computed, input, signal } from '@angular/core';
import { formatDuration } from '../core/units';
import { RunEvent, isOfTrial } from '../models/run';
import { RunStateTag } from '../shared/state-tag';
import { Time } from '../shared/time';
import { CardHead } from '../shared/card-head';

/** Show the states of a run in their order; trials only on request. */
@Component({
  selector: 'pc-run-timeline',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [CardHead, RunStateTag, Time],
  template: `<section class="card" aria-labelledby="timeline-title">
    <pc-card-head name="timeline-title"
      ><ng-container i18n>Timeline</ng-container>
      @if (hidden()) {
        <label aside class="check no-print">
          <input type="checkbox" [checked]="all()" (change)="all.set(!all())" />
          <ng-container i18n>show steps of trials ({{ hidden() }})</ng-container>
        </label>
      }
    </pc-card-head>
    <ol class="timeline">
      @for (step of steps(); track $index) {
        <li>
          <span class="timeline-time"><pc-time [at]="step.event.at" /></span>
          <pc-run-state [state]="step.event.state" />
          <span>{{ step.event.message }}</span>
          @if (step.lasted) {
            <span class="muted small">{{ step.lasted }}</span>
          }
        </li>
      } @empty {
        <li class="muted" i18n>Nothing has been recorded yet.</li>
      }
    </ol>
  </section>`,
})
export class RunTimeline {
  readonly events = input.required<RunEvent[]>();
  protected readonly all = signal(false);
  protected readonly hidden = computed(
    () => this.events().filter(({ state }) => isOfTrial(state)).length,
  );
  /** A step lasts until the next one, which may be of a trial and hidden. */
  protected readonly steps = computed(() =>
    this.events()
      .map((event, at, events) => {
        const next = events[at + 1];
        return { event, lasted: next ? formatDuration(next.at - event.at) : '' };
      })
      .filter(({ event }) => this.all() || !isOfTrial(event.state)),
  );
}
