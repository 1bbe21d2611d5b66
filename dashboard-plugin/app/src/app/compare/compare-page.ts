import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  untracked,
} from '@angular/core';
import { Api } from '../core/api';
import { download, toCsv } from '../core/download';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { Router } from '../core/router';
import { Comparison } from '../models/comparison';
import { GroupEntry } from '../models/group';
import { RunInfo } from '../models/run';
import { Loading } from '../shared/loading';
import { Menu } from '../shared/menu';
import { ErrorMessage } from '../shared/message';
import { VERDICTS, verdictIcon, verdictKey } from '../shared/verdicts';
import { CompareEmpty } from './compare-empty';
import { CompareMatrix } from './compare-matrix';
import { CompareNotes } from './compare-notes';
import { CompareTable } from './compare-table';
import { comparisonRows, drawMatrix } from './export';
import { countVerdicts, makeMatrix } from './matrix';
import { metricsOf } from './metrics';
import { RowDetail } from './row-detail';
import { Selection, Side, isComplete, readSelection, selectionQuery, suggest } from './selection';
import { SideCard } from './side-card';
import { SideSelect } from './side-select';

const RUNS = 200;

interface Choices {
  runs: RunInfo[];
  groups: GroupEntry[];
}

/** Compare two groups: choose them, see all workloads, open one. */
@Component({
  selector: 'pc-compare-page',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [
    CompareEmpty,
    CompareMatrix,
    CompareNotes,
    CompareTable,
    ErrorMessage,
    Loading,
    Menu,
    RowDetail,
    SideCard,
    SideSelect,
  ],
  templateUrl: './compare-page.html',
})
export class ComparePage {
  private readonly api = inject(Api);
  private readonly live = inject(Live);
  private readonly router = inject(Router);

  protected readonly choices = new Loader<Choices>();
  protected readonly found = new Loader<Comparison>();
  protected readonly selection = computed(() => readSelection(this.router.query()));
  protected readonly complete = computed(() => isComplete(this.selection()));
  protected readonly row = computed(() => this.router.query().get('row') ?? '');
  protected readonly perOsd = computed(() => this.router.query().get('per') === 'osd');
  protected readonly view = computed(() =>
    this.router.query().get('view') === 'table' ? 'table' : 'matrix',
  );
  protected readonly metrics = computed(() => {
    const comparison = this.found.value();
    return comparison ? metricsOf(comparison) : [];
  });
  protected readonly metric = computed(() => {
    const key = this.router.query().get('metric');
    return this.metrics().find((metric) => metric.key === key) ?? this.metrics()[0];
  });
  protected readonly groups = computed(() => {
    const { runs = [], groups = [] } = this.choices.value() ?? {};
    const names = runs.filter((run) => run.trials > 0).flatMap((run) => run.groups);
    return [...new Set([...names, ...groups.map((g) => g.spec.name)])].sort();
  });
  protected readonly counts = computed(() => {
    const comparison = this.found.value();
    const counts = comparison ? countVerdicts(comparison) : new Map();
    return VERDICTS.map((verdict) => ({
      verdict,
      key: verdictKey(verdict),
      icon: verdictIcon(verdict),
      count: counts.get(verdict) ?? 0,
    }));
  });
  /** Nothing can be compared yet. */
  protected readonly empty = computed(() => {
    const choices = this.choices.value();
    return !!choices && !this.complete() && !suggest(choices.runs);
  });
  private readonly key = computed(() => JSON.stringify(selectionQuery(this.selection())));
  /** What the comparison shown was asked with. */
  private shown = '';

  constructor() {
    effect(() => {
      // runs and groups change when a run starts or ends
      this.live.activeRun();
      untracked(() => this.reloadChoices());
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
      const key = this.key();
      const complete = this.complete();
      const now = this.live.progress();
      const step = now ? `${now.trial} ${now.state}` : '';
      untracked(() => this.follow(key, complete, now?.run ?? '', step));
    });
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
    const { baseline, candidate, run } = selectionQuery(this.selection());
    await this.found.load((signal) => this.api.compare(baseline, candidate, run, signal));
  }

  /** Load when the selection changes, or a run that is shown goes on. */
  private follow(key: string, complete: boolean, active: string, step: string): void {
    const changed = key !== this.shown;
    if (changed) {
      this.found.clear();
    }
    this.shown = key;
    const running = this.found.value()?.runs.includes(active) ?? false;
    if (complete && (changed || (running && step.endsWith(' trial')))) {
      void this.reload();
    }
  }

  protected select(selection: Selection, replace = false): void {
    this.router.patchQuery({ ...selectionQuery(selection), row: null, round: null }, replace);
  }

  protected setBaseline(baseline: Side): void {
    this.select({ ...this.selection(), baseline });
  }

  protected setCandidate(candidate: Side): void {
    this.select({ ...this.selection(), candidate });
  }

  protected swap(): void {
    const { baseline, candidate, runs } = this.selection();
    this.select({ baseline: candidate, candidate: baseline, runs });
  }

  protected togglePool(run: string): void {
    const selection = this.selection();
    const now = selection.runs.length ? selection.runs : this.pooledNow();
    const runs = now.includes(run) ? now.filter((id) => id !== run) : [...now, run];
    const side = (s: Side) => ({ ...s, run: '' });
    this.select({
      baseline: side(selection.baseline),
      candidate: side(selection.candidate),
      runs,
    });
  }

  /** Runs that can be pooled: those that have both groups. */
  protected readonly poolable = computed(() => {
    const { baseline, candidate } = this.selection();
    return (this.choices.value()?.runs ?? []).filter(
      (run) =>
        run.trials > 0 &&
        run.groups.includes(baseline.group) &&
        run.groups.includes(candidate.group),
    );
  });

  protected readonly pooledNow = computed(() => this.found.value()?.runs ?? []);

  protected set(name: string, value: string): void {
    this.router.patchQuery({ [name]: value || null });
  }

  protected onMetric(event: Event): void {
    this.set('metric', (event.target as HTMLSelectElement).value);
  }

  private fileName(): string {
    const { baseline, candidate } = this.selection();
    return `perfcompare-${candidate.group}-vs-${baseline.group}`;
  }

  protected saveCsv(comparison: Comparison): void {
    download(`${this.fileName()}.csv`, toCsv(comparisonRows(comparison)), 'text/csv');
  }

  protected saveJson(comparison: Comparison): void {
    const text = JSON.stringify(comparison, null, 2);
    download(`${this.fileName()}.json`, text, 'application/json');
  }

  protected async savePng(comparison: Comparison): Promise<void> {
    const metric = this.metric();
    const matrix = makeMatrix(comparison, metric, this.perOsd());
    const blob = await drawMatrix(comparison, matrix, metric.label);
    if (blob) {
      download(`${this.fileName()}.png`, blob);
    }
  }

  protected print(): void {
    window.print();
  }
}
