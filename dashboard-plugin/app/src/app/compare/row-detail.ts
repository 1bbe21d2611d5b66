import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  linkedSignal,
  signal,
  untracked,
} from '@angular/core';
import { Api, Compared } from '../core/api';
import { Loader } from '../core/loader';
import { fixed } from '../core/locale';
import { Router } from '../core/router';
import {
  formatByteRate,
  formatInterval,
  formatLatency,
  formatOps,
  formatP,
  formatRatio,
} from '../core/units';
import { Comparison, RowSide } from '../models/comparison';
import { ChartCard } from '../shared/chart-card';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { VerdictTag } from '../shared/verdict-tag';
import { rowPath } from './addresses';
import { hasInterval, unclearText } from './answer';
import {
  Drawing,
  osdMetrics,
  osdPlot,
  pairPlot,
  percentilePlot,
  seriesPlot,
  stripPlot,
} from './charts';
import { FindingList } from './finding-list';
import { HostPanel } from './host-panel';
import { latencyRows } from './latency';
import { manifestRows } from './manifest';
import { concurrencyText, rowTitle } from './matrix';
import { judged } from './metrics';
import { topOsds } from './osd-top';
import { RoundEvidence, RowEvidence, RowTrials } from './row-evidence';
import { S3Panel } from './s3-panel';
import { Heads } from '../shared/heads';

/** A chart of the page, or why there is none. */
interface Chart<D> {
  file: string;
  title: string;
  summary: string;
  drawing: D;
  missing?: string;
}

/** Show the evidence of one workload: from the verdict to the raw trials. */
@Component({
  selector: 'pc-row-detail',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [
    Heads,
    ChartCard,
    ErrorMessage,
    FindingList,
    HostPanel,
    Link,
    Loading,
    S3Panel,
    VerdictTag,
  ],
  templateUrl: './row-detail.html',
})
export class RowDetail {
  private readonly api = inject(Api);
  private readonly evidence = inject(RowEvidence);
  private readonly router = inject(Router);
  readonly comparison = input.required<Comparison>();
  readonly compared = input.required<Compared>();
  readonly workload = input.required<string>();
  readonly perOsd = input(false);

  protected readonly index = computed(() =>
    this.comparison().rows.findIndex((row) => row.workload === this.workload()),
  );
  /** The row with everything; the list has less of it. */
  protected readonly whole = new Loader<Comparison>();
  protected readonly row = computed(
    () => this.whole.value()?.rows.find((row) => row.workload === this.workload()) ?? null,
  );
  protected readonly estimate = computed(() => {
    const row = this.row();
    return row ? judged(row, this.perOsd()) : null;
  });
  protected readonly exact = computed(() => {
    const estimate = this.estimate();
    return !!estimate && hasInterval(estimate);
  });
  protected readonly unclear = computed(() => {
    const row = this.row();
    return row ? unclearText(row, this.estimate()) : '';
  });
  /** Say what the ratio is, and the one that it is not. */
  protected readonly ratioText = computed(() => {
    const row = this.row();
    if (!row || this.estimate()?.ratio === null) {
      return '';
    }
    const of = (side: RowSide) => (this.perOsd() ? side.ops_per_s_per_osd : side.ops_per_s).median;
    const [a, b] = [of(row.baseline), of(row.candidate)];
    const plain = a && b ? formatRatio(b / a) : '–';
    return this.comparison().paired
      ? $localize`median of ${row.blocks_complete} paired ratios; the medians have ×${plain}`
      : $localize`median of the ratios of trials; the medians have ×${plain}`;
  });
  protected readonly back = computed(() => rowPath(this.router.query(), ''));
  protected readonly previous = computed(() => this.neighbor(-1));
  protected readonly next = computed(() => this.neighbor(1));

  protected readonly charts = computed((): Chart<Drawing>[] => {
    const row = this.row();
    const estimate = this.estimate();
    if (!row || !estimate) {
      return [];
    }
    const charts = [
      {
        file: 'trials',
        title: $localize`Trials`,
        summary: $localize`Each mark is one trial; the bar is the median, the thin line the range.`,
        drawing: stripPlot(row, this.perOsd()),
      },
      {
        file: 'blocks',
        title: $localize`Ratio of each block`,
        summary: $localize`Each mark is one block; the line is the estimate, the band its interval, the dashed line is no difference.`,
        drawing: row.pairs.length ? pairPlot(row, estimate, this.perOsd()) : null,
      },
      {
        file: 'latency',
        title: $localize`Latency by percentile`,
        summary: $localize`What clients saw, on log axes: how many operations took longer than that. The median over the trials of each trial's percentile.`,
        drawing: percentilePlot(row),
      },
    ];
    return charts.flatMap(({ drawing, ...chart }) => (drawing ? [{ ...chart, drawing }] : []));
  });

  protected readonly trials = new Loader<RowTrials>();
  protected readonly found = new Loader<RoundEvidence>();
  protected readonly rounds = computed(() => this.trials.value()?.rounds ?? []);
  protected readonly round = computed(() => {
    const asked = this.router.query().get('round') ?? '';
    const rounds = this.rounds();
    return asked === 'all' || rounds.some((round) => round.key === asked)
      ? asked
      : (rounds.at(-1)?.key ?? '');
  });
  protected readonly osdMetrics = computed(() => osdMetrics(this.found.value()?.osds ?? []));
  protected readonly osdMetric = linkedSignal(() => {
    const names = this.osdMetrics().map((metric) => metric.name);
    const main = this.row()?.op === 'write' ? 'op_w' : 'op_r';
    return names.includes(main) ? main : (names[0] ?? '');
  });
  private readonly counter = computed(() =>
    this.osdMetrics().find((item) => item.name === this.osdMetric()),
  );
  protected readonly evidenceCharts = computed((): Chart<Drawing | null>[] => {
    const { series = [], osds = [] } = this.found.value() ?? {};
    const counter = this.counter();
    return [
      {
        file: 'series',
        title: $localize`Throughput over time`,
        summary: $localize`Operations per second as the clients saw them, warm-up included.`,
        drawing: series.length ? seriesPlot(series) : null,
        missing: this.trials.value()?.unsampled
          ? $localize`Not recorded: what was imported has no samples.`
          : $localize`Not available: samples are stored only where the manager finds numpy, and old ones are removed.`,
      },
      {
        file: 'osds',
        title: $localize`Distribution over the OSDs`,
        summary: $localize`Flat: all OSDs of the group carried the same. Steep: few carried much.`,
        drawing: counter ? osdPlot(osds, counter) : null,
        missing: $localize`Not available: no counters of OSDs were recorded.`,
      },
    ];
  });
  protected readonly top = computed(() => {
    const counter = this.counter();
    return counter ? topOsds(this.found.value()?.osds ?? [], counter) : [];
  });
  protected readonly manifest = computed(() => manifestRows(this.found.value()?.manifests ?? []));
  protected readonly manifestOpen = signal(false);
  protected readonly percentiles = computed(() => {
    const row = this.row();
    const rows = row ? latencyRows(row, this.found.value()?.full ?? []) : [];
    return rows.length ? rows : null;
  });
  /** Changes when there are more trials to show. */
  private readonly version = computed(() => {
    const row = this.row();
    return row ? `${row.workload} ${row.baseline.trials} ${row.candidate.trials}` : '';
  });

  protected readonly title = rowTitle;
  protected readonly load = concurrencyText;
  protected readonly ratio = formatRatio;
  protected readonly interval = formatInterval;
  protected readonly fixed = fixed;
  protected readonly p = formatP;

  protected number(value: number | null | undefined): boolean {
    return value !== null && value !== undefined;
  }

  constructor() {
    effect(() => {
      // again when the list was loaded again: there may be more trials
      this.comparison();
      this.workload();
      untracked(() => void this.reload());
    });
    effect(() => {
      this.version();
      untracked(() => void this.loadTrials());
    });
    effect(() => {
      const trials = this.trials.value();
      const round = this.round();
      if (trials && round) {
        untracked(
          () => void this.found.load((signal) => this.evidence.round(trials, round, signal)),
        );
      }
    });
  }

  protected async reload(): Promise<void> {
    const row = this.workload();
    if (this.index() >= 0) {
      await this.whole.load((signal) => this.api.compare(this.compared(), { row }, signal));
    }
  }

  protected async loadTrials(): Promise<void> {
    const row = this.row();
    if (row) {
      await this.trials.load((signal) => this.evidence.trials(this.comparison(), row, signal));
    }
  }

  protected setRound(event: Event): void {
    this.router.patchQuery({ round: (event.target as HTMLSelectElement).value });
  }

  protected setOsdMetric(event: Event): void {
    this.osdMetric.set((event.target as HTMLSelectElement).value);
  }

  protected toggleManifest(event: Event): void {
    this.manifestOpen.set((event.target as HTMLDetailsElement).open);
  }

  protected figures(side: RowSide): string[] {
    const ops = this.perOsd() ? side.ops_per_s_per_osd : side.ops_per_s;
    const bytes = this.perOsd() ? side.bytes_per_s_per_osd : side.bytes_per_s;
    return [
      formatOps(ops.median),
      `${formatOps(ops.min)} … ${formatOps(ops.max)}`,
      formatByteRate(bytes.median),
      formatLatency(side.latency_avg.median),
      formatLatency(side.latency_max),
      String(side.trials),
      side.osds === null
        ? $localize`changed`
        : side.osds
          ? String(side.osds)
          : $localize`not recorded`,
    ];
  }

  private neighbor(step: number): { path: string; workload: string } | null {
    const row = this.comparison().rows[this.index() + step];
    return row && this.index() >= 0
      ? { path: rowPath(this.router.query(), row.workload), workload: row.workload }
      : null;
  }
}
