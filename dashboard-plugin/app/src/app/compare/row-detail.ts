import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  linkedSignal,
  output,
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
import { Comparison, Row, RowEvidence, RowSide } from '../models/comparison';
import { captioned, captionOf } from '../shared/caption';
import { ChartCard } from '../shared/chart-card';
import { Choice } from '../shared/choice';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { VerdictTag } from '../shared/verdict-tag';
import { rowPath } from './addresses';
import { hasInterval, isStored } from './answer';
import { basisText } from './basis';
import { Drawing, dotLabel, isEmpty, osdMetrics, osdPlot, pairPlot, stripPlot } from './charts';
import { CoursePanel } from './course-panel';
import { FindingList } from './finding-list';
import { HostPanel } from './host-panel';
import { LoadShares } from './load-shares';
import { LatencyPanel } from './latency-panel';
import { manifestRows } from './manifest';
import { concurrencyText, rowTitle } from './matrix';
import { Metric, judged, metricTitle, metricValue, spreadsOf } from './metrics';
import { namedCourses } from './course-plot';
import { named } from './names';
import { OperationsPanel } from './operations-panel';
import { mainCounter, topOsds } from './osd-top';
import { pinned } from './pinned';
import { unclearText } from './unclear';
import { Heads } from '../shared/heads';
import { ScrollHint } from '../shared/scroll-hint';
import { Side } from '../shared/side';
import { CardHead } from '../shared/card-head';

/** A chart of the page. */
interface Chart<D> {
  file: string;
  title: string;
  summary: string;
  drawing: D;
}

/** Say whether a row is one of a list, which has less of it. */
function isBrief(row: Row): boolean {
  return !row.baseline.dots.length && !row.candidate.dots.length;
}

/** Return how many OSDs a side had: null is of several counts, or of none that is known. */
function osdsOf({ osds, dots }: RowSide): string {
  if (osds) {
    return String(osds);
  }
  return osds === null && dots.some((dot) => dot.osds !== null)
    ? $localize`changed`
    : $localize`not recorded`;
}

/** Show the evidence of one workload: from the verdict to the raw trials. */
@Component({
  selector: 'pc-row-detail',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [
    CardHead,
    ChartCard,
    Choice,
    CoursePanel,
    ErrorMessage,
    FindingList,
    Heads,
    HostPanel,
    LoadShares,
    LatencyPanel,
    Link,
    Loading,
    OperationsPanel,
    ScrollHint,
    Side,
    VerdictTag,
  ],
  templateUrl: './row-detail.html',
})
export class RowDetail {
  private readonly api = inject(Api);
  private readonly router = inject(Router);
  readonly comparison = input.required<Comparison>();
  readonly compared = input.required<Compared>();
  /** Asks for the runs that are shown, whatever run is the newest by now. */
  private readonly pinned = computed(() => pinned(this.compared(), this.comparison()));
  readonly workload = input.required<string>();
  readonly perOsd = input(false);
  readonly metric = input.required<Metric>();
  readonly metrics = input<readonly Metric[]>([]);
  readonly metricChosen = output<string>();

  protected readonly index = computed(() =>
    this.comparison().rows.findIndex((row) => row.workload === this.workload()),
  );
  private readonly listed = computed(() => this.comparison().rows[this.index()]);
  /** Blocks are of paired sides alone. */
  protected readonly paired = computed(() => this.comparison().paired);
  /** The row with everything; the list has less of it. */
  protected readonly whole = new Loader<Comparison>();
  protected readonly row = computed(() => {
    const listed = this.listed();
    return listed && !isBrief(listed)
      ? listed
      : (this.whole.value()?.rows.find((row) => row.workload === this.workload()) ?? null);
  });
  /** What the metric says of the row. */
  protected readonly cell = computed(() => {
    const row = this.row();
    return row ? this.metric().cell(row, this.perOsd()) : null;
  });
  protected readonly estimate = computed(() => this.cell()?.estimate ?? null);
  protected readonly exact = computed(() => {
    const estimate = this.estimate();
    return !!estimate && hasInterval(estimate);
  });
  protected readonly metricText = computed(() => metricTitle(this.metric(), this.perOsd()));
  /** Where the figures of a further metric come from. */
  protected readonly basis = computed(() => {
    const row = this.row();
    return row ? basisText(this.metric(), [row]) : '';
  });
  protected readonly unclear = computed(() => {
    const row = this.row();
    return row ? unclearText(row, this.estimate(), this.metric(), this.perOsd()) : '';
  });
  /** Say what the ratio is, and the one that it is not. */
  protected readonly ratioText = computed(() => {
    const row = this.row();
    if (!row || this.cell()?.ratio === null) {
      return '';
    }
    if (!this.estimate()) {
      return $localize`ratio of the medians`;
    }
    const [a, b] = spreadsOf(row, this.metric(), this.perOsd()).map((one) => one?.median);
    const plain = a && b ? formatRatio(b / a) : '–';
    const n = this.estimate()?.n;
    if (isStored(this.estimate())) {
      return this.paired()
        ? $localize`median of the ratios of ${n} runs; the medians have ×${plain}`
        : $localize`median of the ratios of the medians of runs; the medians have ×${plain}`;
    }
    return this.paired()
      ? $localize`median of ${n} paired ratios; the medians have ×${plain}`
      : $localize`median of the ratios of trials; the medians have ×${plain}`;
  });
  /** What is shown has reasons of its own: those of the row are beside it. */
  protected readonly beside = computed(() => {
    const own = ['ops', 'bytes'].includes(this.metric().key);
    return !own || (this.perOsd() && this.row()?.per_osd.verdict !== null);
  });
  /** A figure of the metric that the table has no column for. */
  protected readonly further = computed(() =>
    this.row()?.metrics.find((one) => one.id === this.metric().key),
  );
  protected readonly back = computed(() => rowPath(this.router.query(), ''));
  protected readonly previous = computed(() => this.neighbor(-1));
  protected readonly next = computed(() => this.neighbor(1));

  protected readonly charts = computed((): Chart<Drawing>[] => {
    const row = this.row();
    if (!row) {
      return [];
    }
    const [metric, perOsd] = [this.metric(), this.perOsd()];
    const charts = [
      {
        file: 'trials',
        title: $localize`Trials: ${dotLabel(metric, perOsd)}`,
        summary: $localize`Each mark is one trial; the bar is the median, the thin line the range.`,
        drawing: stripPlot(row, perOsd, metric),
      },
      {
        file: 'blocks',
        title: $localize`Ratio of each block: ${dotLabel({ key: 'ops' }, perOsd)}`,
        summary: $localize`Each mark is one block; the line is the estimate, the band its interval, the dashed line is no difference.`,
        drawing: pairPlot(row, judged(row, perOsd), perOsd),
      },
    ];
    return charts.filter(({ drawing }) => !isEmpty(drawing));
  });

  protected readonly names = computed(() => {
    const { baseline, candidate } = this.comparison();
    return [baseline.label, candidate.label];
  });
  protected readonly evidence = new Loader<RowEvidence>();
  protected readonly shown = computed(() => this.evidence.value()?.shown ?? []);
  private readonly round = computed(() => this.router.query().get('round') ?? '');
  private readonly osds = computed(() =>
    this.shown().map(({ side, trial }) => ({
      group: this.names()[side],
      osds: trial.evidence.osds ?? {},
    })),
  );
  /** Which trials OSDs, hosts and manifests are of. */
  protected readonly shownText = computed(() => {
    const names = this.shown().map(
      ({ side, trial }) => $localize`round ${trial.round} of ${this.names()[side]}`,
    );
    return names.join(', ');
  });
  protected readonly osdMetrics = computed(() => osdMetrics(this.osds()));
  protected readonly osdMetric = linkedSignal(() => {
    const names = this.osdMetrics().map((metric) => metric.key);
    const main = mainCounter(this.osds());
    return names.includes(main) ? main : (names[0] ?? '');
  });
  private readonly counter = computed(() =>
    this.osdMetrics().find((item) => item.key === this.osdMetric()),
  );
  protected readonly osdDrawing = computed(() => {
    const counter = this.counter();
    return counter ? osdPlot(this.osds(), counter) : null;
  });
  protected readonly top = computed(() => {
    const counter = this.counter();
    return counter ? topOsds(this.osds(), counter) : [];
  });
  protected readonly manifest = computed(() =>
    manifestRows(
      this.shown().map(({ side, trial }) => ({
        group: this.names()[side],
        manifest: trial.manifest,
      })),
    ),
  );
  protected readonly manifestOpen = signal(false);
  /** Changes when there are more trials to show, or those of other runs. */
  private readonly version = computed(() => {
    const row = this.row();
    const { baseline, candidate } = this.pinned();
    return row
      ? [row.workload, baseline, candidate, row.baseline.trials, row.candidate.trials].join(' ')
      : '';
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
    captioned(() => captionOf(this.comparison()));
    effect(() => {
      this.workload(); // what was shown is of another row
      untracked(() => this.evidence.clear());
    });
    effect(() => {
      // again when the list was loaded again: there may be more trials
      this.comparison();
      this.workload();
      untracked(() => void this.reload());
    });
    effect(() => {
      this.version();
      this.round();
      untracked(() => void this.loadEvidence());
    });
  }

  protected async reload(): Promise<void> {
    const row = this.workload();
    const listed = this.listed();
    if (listed && isBrief(listed)) {
      await this.whole.load(async (signal) =>
        named(await this.api.compare(this.pinned(), { row }, signal)),
      );
    }
  }

  protected async loadEvidence(): Promise<void> {
    const row = this.workload();
    const round = this.round();
    if (this.index() >= 0) {
      await this.evidence.load(async (signal) =>
        namedCourses(await this.api.rowEvidence(this.pinned(), row, round, signal), this.names()),
      );
    }
  }

  protected toggleManifest(event: Event): void {
    this.manifestOpen.set((event.target as HTMLDetailsElement).open);
  }

  protected readonly heads = computed(() => {
    const names = this.perOsd()
      ? $localize`<Group|Median per OSD|Range of trials, per OSD|Throughput per OSD|Latency, average|Latency, greatest|Trials|OSDs`
      : $localize`<Group|Median|Range of trials|Throughput|Latency, average|Latency, greatest|Trials|OSDs`;
    return this.further() ? `${names}|${this.metric().label}` : names;
  });

  protected furtherFigures(side: RowSide): string {
    const metric = this.further();
    if (!metric) {
      return '';
    }
    const own = side === this.row()?.baseline ? metric.baseline : metric.candidate;
    const [median, min, max] = [own.median, own.min, own.max].map((v) => metricValue(metric, v));
    return own.median === null ? median : `${median} (${min} … ${max})`;
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
      osdsOf(side),
    ];
  }

  private neighbor(step: number): { path: string; workload: string } | null {
    const row = this.comparison().rows[this.index() + step];
    return row && this.index() >= 0
      ? { path: rowPath(this.router.query(), row.workload), workload: row.workload }
      : null;
  }
}
