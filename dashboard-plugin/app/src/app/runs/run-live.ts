import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  input,
  signal,
  untracked,
} from '@angular/core';
import { formatByteRate, formatDuration, formatOps, formatPercent } from '../core/units';
import { Progress } from '../models/run';
import { ChartCard, TableTwin } from '../shared/chart-card';
import { BASELINE, Plot, options } from '../shared/plot';

interface Sample {
  at: number; // Unix milliseconds
  ops: number;
  trial: string;
}

const KEPT = 150;

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
            <dd>{{ duration(progress().eta) }}</dd>
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
    @if (samples().length > 1) {
      <pc-chart-card
        title="Live throughput"
        i18n-title
        summary="As seen while this page is open."
        i18n-summary
        [config]="config()"
        [table]="table()"
        [height]="180"
        file="live"
      />
    }`,
})
export class RunLive {
  readonly progress = input.required<Progress>();
  protected readonly samples = signal<Sample[]>([]);
  protected readonly percent = formatPercent;
  protected readonly duration = formatDuration;
  protected readonly ops = formatOps;
  protected readonly rate = formatByteRate;

  constructor() {
    effect(() => {
      const { ops_per_s: ops, trial } = this.progress();
      if (ops !== null) {
        const sample = { at: Date.now(), ops, trial };
        untracked(() => this.samples.update((list) => [...list.slice(1 - KEPT), sample]));
      }
    });
  }

  protected readonly config = computed((): Plot => {
    const samples = this.samples();
    const now = samples.at(-1)?.at ?? 0;
    return {
      type: 'line',
      data: {
        datasets: [
          {
            data: samples.map((s) => ({ x: (s.at - now) / 1000, y: s.ops })),
            borderColor: BASELINE,
            borderWidth: 2,
            pointRadius: 0,
          },
        ],
      },
      options: options({
        x: $localize`seconds before now`,
        y: $localize`op/s`,
        zeroY: true,
        maxX: 0,
        tooltip: ({ index, y }) => `${samples[index]?.trial}: ${formatOps(y)}`,
      }),
    };
  });

  protected readonly table = computed((): TableTwin => ({
    header: [$localize`At (UTC)`, $localize`Trial`, $localize`op/s`],
    rows: this.samples().map((s) => [
      new Date(s.at).toISOString(),
      s.trial,
      Number(s.ops.toPrecision(6)),
    ]),
  }));
}
