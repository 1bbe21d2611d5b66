import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  input,
  signal,
  untracked,
} from '@angular/core';
import { formatByteRate, formatOps, formatPercent } from '../core/units';
import { Progress, RunDetail } from '../models/run';
import { ChartCard } from '../shared/chart-card';
import { timeLeft } from '../shared/time-left';
import { Sample, added, livePlot } from './live-samples';

/** Show what the active run does this moment. */
@Component({
  selector: 'pc-run-live',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [ChartCard],
  template: `<section class="card live" aria-labelledby="live-title">
      <h2 id="live-title" i18n>Now</h2>
      @if (progress().state !== 'resuming') {
        <progress
          class="bar bar-wide"
          max="1"
          [value]="progress().fraction"
          aria-labelledby="live-title"
        ></progress>
        <dl class="facts facts-grid">
          <div>
            <dt i18n>Progress</dt>
            <dd>
              {{ percent(progress().fraction) }}
              <span class="muted small" i18n
                >round {{ progress().round }} of {{ progress().rounds }}</span
              >
            </dd>
          </div>
          <div>
            <dt i18n>Time left</dt>
            <dd>{{ left() }}</dd>
          </div>
          <div>
            <dt i18n>Trial</dt>
            <dd>{{ progress().trial || '–' }}</dd>
          </div>
          <div>
            <dt i18n>Rate</dt>
            <dd>
              {{ ops(progress().ops_per_s) }}
              @if (progress().bytes_per_s !== null) {
                <span class="muted small">{{ rate(progress().bytes_per_s) }}</span>
              }
            </dd>
          </div>
        </dl>
      }
      @if (progress().message !== progress().trial) {
        <p class="muted" role="status">{{ progress().message }}</p>
      }
    </section>
    @if (drawing(); as drawing) {
      <pc-chart-card
        title="Live throughput"
        i18n-title
        summary="As seen while this page is open, the last ten minutes at most; each trial has a band."
        i18n-summary
        [config]="drawing.config"
        [table]="drawing.table"
        [height]="180"
        file="live"
      />
    }`,
})
export class RunLive {
  readonly progress = input.required<Progress>();
  /** The run that it is, as far as it is stored. */
  readonly detail = input<RunDetail>();
  protected readonly samples = signal<Sample[]>([]);
  protected readonly percent = formatPercent;
  protected readonly ops = formatOps;
  protected readonly rate = formatByteRate;

  constructor() {
    effect(() => {
      const progress = this.progress();
      untracked(() => this.samples.update((list) => added(list, progress, Date.now())));
    });
  }

  protected readonly groups = computed(() => {
    const plan = this.detail()?.run.plan;
    return plan ? plan.groups.map((group) => group.name) : [];
  });
  protected readonly drawing = computed(() =>
    this.samples().length > 1 ? livePlot(this.samples(), this.groups()) : null,
  );
  protected readonly left = computed(() => timeLeft(this.progress()));
}
