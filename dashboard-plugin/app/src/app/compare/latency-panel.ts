import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { Distribution, Row } from '../models/comparison';
import { Trial } from '../models/run';
import { choice } from '../core/choice';
import { grouped } from '../core/locale';
import { ChartCard } from '../shared/chart-card';
import { Drawing } from './charts';
import { latencyBases, latencyLacks, latencyRows } from './latency';
import { cdfPlot, percentilePlot, tailPlot } from './latency-plots';
import { Choice } from '../shared/choice';
import { ScrollHint } from '../shared/scroll-hint';

interface Chart {
  file: string;
  title: string;
  summary: string;
  drawing: Drawing;
}

/** Show latencies of a row: the tail, the distribution, and percentiles. */
@Component({
  selector: 'pc-latency-panel',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [ChartCard, Choice, ScrollHint],
  templateUrl: './latency-panel.html',
})
export class LatencyPanel {
  readonly row = input.required<Row>();
  readonly distributions = input<readonly Distribution[]>([]);
  readonly trials = input<readonly { side: 0 | 1; trial: Trial }[]>([]);

  protected readonly sources = computed(() =>
    this.distributions().map(({ source }) => ({ key: source, label: source })),
  );
  protected readonly source = choice(() => this.sources());
  protected readonly found = computed(() =>
    this.distributions().find((one) => one.source === this.source()),
  );
  protected readonly charts = computed((): Chart[] => {
    const [row, found] = [this.row(), this.found()];
    const charts: (Omit<Chart, 'drawing'> & { drawing: Drawing | null })[] = found
      ? [
          {
            file: 'tail',
            title: $localize`Latency by percentile`,
            summary: $localize`How many operations took longer than that, on log axes, as far as ten operations are beyond.`,
            drawing: tailPlot(found, row),
          },
          {
            file: 'cdf',
            title: $localize`Latency distribution (CDF)`,
            summary: $localize`Which share of all operations took at most so long.`,
            drawing: cdfPlot(found, row),
          },
        ]
      : [
          {
            file: 'latency',
            title: $localize`Latency by percentile`,
            summary: $localize`What clients saw, on log axes: how many operations took longer than that. The median over the trials of each trial's percentile.`,
            drawing: percentilePlot(row),
          },
        ];
    return charts.flatMap(({ drawing, ...chart }) => (drawing ? [{ ...chart, drawing }] : []));
  });
  /** What each side's curve is made of, or why there is none. */
  protected readonly basis = computed(() => {
    const found = this.found();
    if (!found) {
      return [];
    }
    const row = this.row();
    return [
      { group: row.baseline.group, curve: found.baseline },
      { group: row.candidate.group, curve: found.candidate },
    ].map(({ group, curve }) => {
      const made = $localize`${grouped(curve.samples)}:samples: operations of ${curve.trials}:trials: trials`;
      const parts = curve.points.length ? [made, curve.reason] : [curve.reason];
      return `${group}: ${parts.filter(Boolean).join(', ')}`;
    });
  });
  protected readonly percentiles = computed(() => latencyRows(this.row(), this.trials()));
  /** Whose they are, where not of the load's own operations. */
  protected readonly whose = computed(() => latencyBases(this.row()));
  protected readonly lacks = computed(() => latencyLacks(this.row()));
}
