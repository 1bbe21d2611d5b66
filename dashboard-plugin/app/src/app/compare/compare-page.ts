import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  untracked,
} from '@angular/core';
import { Api } from '../core/api';
import { Attempt } from '../core/attempt';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { Router } from '../core/router';
import { Comparison } from '../models/comparison';
import { GroupEntry } from '../models/group';
import { RunInfo } from '../models/run';
import { Choice } from '../shared/choice';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { Unloaded } from '../shared/unloaded';
import { CompareAnswer } from './compare-answer';
import { CompareEmpty } from './compare-empty';
import { CompareIdentity, Export } from './compare-identity';
import { CompareMatrix } from './compare-matrix';
import { CompareNotes } from './compare-notes';
import { CompareRunning } from './compare-running';
import { CompareTable } from './compare-table';
import { ORDERS, Order, filtered, ordered } from './filters';
import { ForestPlot } from './forest-plot';
import { mainMetric, metricTitle, metricsOf } from './metrics';
import { named } from './names';
import { ResponseCurves } from './response-curves';
import { RowDetail } from './row-detail';
import { Selection, isComplete, readSelection, selectionQuery, suggest } from './selection';

const RUNS = 200;
const ORDER_TEXTS: Record<Order, string> = {
  size: $localize`operation and size`,
  effect: $localize`effect`,
  name: $localize`name`,
  verdict: $localize`verdict`,
};
const VIEWS = [
  { key: 'forest', text: $localize`Plot` },
  { key: 'matrix', text: $localize`Matrix` },
  { key: 'table', text: $localize`Table` },
] as const;

interface Choices {
  runs: RunInfo[];
  groups: GroupEntry[];
}

function isNote(warning: string): boolean {
  return warning.startsWith('note of ');
}

/** Compare two groups: the answer first, then all workloads, then one. */
@Component({
  selector: 'pc-compare-page',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [
    Choice,
    CompareAnswer,
    CompareEmpty,
    CompareIdentity,
    CompareMatrix,
    CompareNotes,
    CompareRunning,
    CompareTable,
    ErrorMessage,
    ForestPlot,
    Loading,
    ResponseCurves,
    RowDetail,
    Unloaded,
  ],
  templateUrl: './compare-page.html',
})
export class ComparePage {
  private readonly api = inject(Api);
  protected readonly live = inject(Live);
  private readonly router = inject(Router);

  protected readonly choices = new Loader<Choices>();
  protected readonly found = new Loader<Comparison>();
  protected readonly selection = computed(() => readSelection(this.router.query()));
  /** What is meant to differ between the sides. */
  protected readonly across = computed(() => this.router.query().getAll('across').filter(Boolean));
  protected readonly query = computed(() => {
    const [query, across] = [selectionQuery(this.selection()), this.across()];
    return across.length ? { ...query, across } : query;
  });
  protected readonly complete = computed(() => isComplete(this.selection()));
  protected readonly row = computed(() => this.asked('row'));
  protected readonly show = computed(() => this.asked('show'));
  protected readonly find = computed(() => this.asked('find'));
  protected readonly perOsd = computed(() => this.asked('per') === 'osd');
  protected readonly views = VIEWS;
  protected readonly view = computed(
    () => VIEWS.find(({ key }) => key === this.asked('view'))?.key ?? 'forest',
  );
  protected readonly orders = ORDERS.map((key) => ({ key, label: ORDER_TEXTS[key] }));
  protected readonly order = computed(
    () => ORDERS.find((key) => key === this.asked('sort')) ?? 'size',
  );
  protected readonly metrics = computed(() => {
    const comparison = this.found.value();
    return comparison ? metricsOf(comparison) : [];
  });
  protected readonly metric = computed(() => {
    const key = this.asked('metric');
    const [metrics, rows] = [this.metrics(), this.found.value()?.rows ?? []];
    return metrics.find((metric) => metric.key === key) ?? mainMetric(rows, metrics);
  });
  /** What is shown; on paper, where no box is ticked, that it is per OSD. */
  protected readonly title = computed(() => metricTitle(this.metric(), this.perOsd()));
  /** What the address names, and the comparison does not have. */
  protected readonly noMetric = computed(() => {
    const key = this.asked('metric');
    return key && this.metric().key !== key ? key : '';
  });
  /** The comparison with the rows that filter and order leave. */
  protected readonly shown = computed(() => {
    const comparison = this.found.value();
    if (!comparison) {
      throw new Error('there is no comparison');
    }
    const [metric, perOsd] = [this.metric(), this.perOsd()];
    const rows = filtered(comparison, metric, perOsd, this.show(), this.find());
    return { ...comparison, rows: ordered(rows, this.order(), metric, perOsd) };
  });
  protected readonly groups = computed(() => {
    const { runs = [], groups = [] } = this.choices.value() ?? {};
    const names = runs.filter((run) => run.trials > 0).flatMap((run) => run.groups);
    return [...new Set([...names, ...groups.map((g) => g.spec.name)])].sort();
  });
  /** Nothing can be compared yet. */
  protected readonly empty = computed(() => {
    const choices = this.choices.value();
    return !!choices && !this.complete() && !suggest(choices.runs);
  });
  /** What limits the verdicts; what single trials tell is folded below it. */
  protected readonly warnings = computed(() => this.said().filter((text) => !isNote(text)));
  protected readonly trialNotes = computed(() => this.said().filter(isNote));
  private readonly said = computed(() => this.found.value()?.warnings ?? []);
  /** A file that is being made, or why it was not. */
  protected readonly saving = new Attempt();
  /** What is shown is of the run that goes on. */
  protected readonly running = computed(
    () => this.found.value()?.runs.includes(this.live.activeRun()) ?? false,
  );
  private readonly key = computed(() => JSON.stringify(this.query()));
  /** What the comparison shown was asked with. */
  private last = '';
  private active = '';

  constructor() {
    void this.reloadChoices();
    let before: string | null = null;
    effect(() => {
      // runs and groups change when a run starts or ends, not when one is first heard of
      const now = this.live.status() && this.live.activeRun();
      if (now !== null && before !== null && now !== before) {
        untracked(() => this.reloadChoices());
      }
      before = now;
    });
    effect(() => {
      const choices = this.choices.value();
      const complete = this.complete();
      const suggested = choices && !complete ? suggest(choices.runs) : null;
      if (suggested && !this.router.query().has('baseline')) {
        untracked(() => this.select(suggested, true));
      }
    });
    effect(() => {
      // the first trials of a first run: there is something to compare now
      const now = this.live.progress();
      const step = now ? `${now.trial} ${now.state}` : '';
      if (untracked(this.empty) && step.endsWith(' trial')) {
        untracked(() => this.reloadChoices());
      }
    });
    effect(() => {
      const key = this.key();
      const complete = this.complete();
      const now = this.live.progress();
      const step = now ? `${now.trial} ${now.state}` : '';
      untracked(() => this.follow(key, complete, now?.run ?? '', step));
    });
  }

  private asked(name: string): string {
    return this.router.query().get(name) ?? '';
  }

  protected async reloadChoices(): Promise<void> {
    await this.choices.load(async (signal) => {
      const [page, groups] = await Promise.all([
        this.api.runs(RUNS, 0, signal),
        this.api.groups(signal),
      ]);
      return { runs: page.runs, groups };
    });
  }

  protected async reload(): Promise<void> {
    const query = this.query();
    // the row that is open comes whole
    const part = { brief: true, row: this.row() || undefined };
    await this.found.load(async (signal) => named(await this.api.compare(query, part, signal)));
  }

  /** Load when the selection changes, or a run that is shown goes on. */
  private follow(key: string, complete: boolean, active: string, step: string): void {
    const changed = key !== this.last;
    if (changed) {
      this.found.clear();
      this.saving.problem.set('');
    }
    this.last = key;
    // its last trials are stored after its last step is told
    const ended = this.active !== active && this.shows(this.active);
    this.active = active;
    const running = this.shows(active);
    if (complete && (changed || ended || (running && step.endsWith(' trial')))) {
      void this.reload();
    }
  }

  /** Whether a run is compared; a first one may have nothing to compare yet. */
  private shows(run: string): boolean {
    return !!run && (!!this.found.error() || (this.found.value()?.runs.includes(run) ?? false));
  }

  protected select(selection: Selection, replace = false): void {
    const none = { row: null, round: null, show: null, find: null };
    this.router.patchQuery({ ...selectionQuery(selection), ...none }, replace);
  }

  protected setAcross(across: string[]): void {
    this.router.patchQuery({ across });
  }

  protected set(name: string, value: string): void {
    this.router.patchQuery({ [name]: value || null });
  }

  protected look(event: Event): void {
    this.set('find', (event.target as HTMLInputElement).value);
  }

  protected showAll(): void {
    this.router.patchQuery({ show: null, find: null });
  }

  protected async save(kind: Export): Promise<void> {
    const comparison = this.found.value();
    if (!comparison) {
      return;
    }
    if (kind === 'print') {
      window.print();
      return;
    }
    await this.saving.at(async () => {
      const query = this.query();
      const { saveComparison } = await import('./export');
      await saveComparison(kind, {
        comparison,
        rows: this.shown().rows,
        metric: this.metric(),
        perOsd: this.perOsd(),
        order: this.order(),
        matrix: this.view() === 'matrix',
        query,
        api: this.api,
      });
    });
  }
}
