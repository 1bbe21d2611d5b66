import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  untracked,
} from '@angular/core';
import { NgTemplateOutlet } from '@angular/common';
import { Api } from '../core/api';
import { Live } from '../core/live';
import { inTurn } from '../core/in-turn';
import { Loader } from '../core/loader';
import { poll } from '../core/polling';
import { Router } from '../core/router';
import { RecoveryDetail } from '../models/recovery';
import { SeriesTable } from '../models/run';
import { RunLive } from '../runs/run-live';
import { AbortRules } from '../shared/abort-rules';
import { captioned, emulatedBy } from '../shared/caption';
import { ChartCard } from '../shared/chart-card';
import { Choice, Option } from '../shared/choice';
import { ItemActions } from '../shared/item-actions';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { stateText } from '../shared/states';
import { Time } from '../shared/time';
import { VerdictTag } from '../shared/verdict-tag';
import { cleanAgain } from './clean-again';
import { figureTable } from './figure-table';
import {
  MARKS,
  TrackSeries,
  curveLabel,
  curvesOf,
  eventsOf,
  markText,
  sourcesOf,
  trackPlot,
  tracksOf,
  zeroOf,
} from './tracks';
import { Heads } from '../shared/heads';
import { ScrollHint } from '../shared/scroll-hint';
import { CardHead } from '../shared/card-head';

/** Tables that are read after the others, if at all. */
const FOLDED = ['Phases', 'Every value'];

/** Something that is chosen by what it is called. */
const same = (key: string): Option => ({ key, label: key });

/** Show one recovery: its moments and phases, group beside group. */
@Component({
  selector: 'pc-recovery-detail',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [
    AbortRules,
    CardHead,
    ChartCard,
    Choice,
    ErrorMessage,
    Heads,
    ItemActions,
    Link,
    Loading,
    NgTemplateOutlet,
    RunLive,
    ScrollHint,
    Time,
    VerdictTag,
  ],
  templateUrl: './recovery-detail.html',
})
export class RecoveryDetailPage {
  private readonly api = inject(Api);
  private readonly router = inject(Router);
  private readonly live = inject(Live);
  readonly id = input.required<string>();
  protected readonly detail = new Loader<RecoveryDetail>();
  protected readonly series = new Loader<TrackSeries[]>();
  /** The step of `series`. */
  private shown = '';
  /** Series that were loaded and change no more. */
  private readonly loaded = new Map<string, SeriesTable[]>();
  protected readonly progress = computed(() => {
    const now = this.live.progress();
    return now?.run === this.id() ? now : null;
  });
  private readonly step = computed(() => this.progress()?.trial);
  protected readonly marks = MARKS;
  protected readonly state = stateText;
  /** The figures, as comparisons show theirs. */
  protected readonly tables = computed(() =>
    (this.detail.value()?.tables ?? []).map((table) => ({
      ...figureTable(table),
      folded: FOLDED.includes(table.title),
    })),
  );
  /** Whether figures have signs that must be explained. */
  protected readonly signs = computed(() =>
    (this.detail.value()?.tables ?? []).some(({ rows, right }) =>
      rows.some((row) => right.some((at) => /[~>]/.test(row[at] ?? ''))),
    ),
  );
  protected readonly tracks = computed(() => {
    const item = this.detail.value()?.item;
    return item ? tracksOf(item) : [];
  });
  protected readonly rules = computed(() => this.detail.value()?.item.settings?.rules ?? []);
  /** What all seconds of moments, charts and events are counted from. */
  protected readonly zero = computed(() => zeroOf(this.tracks()));
  protected readonly clean = computed(() => cleanAgain(this.tracks()));
  /** What is drawn: one step at a time, all groups. */
  protected readonly titles = computed(() =>
    [...new Set(this.tracks().map((one) => one.title))].map(same),
  );
  protected readonly title = computed(() => this.chosen('step', this.titles()));
  protected readonly curves = computed(() =>
    curvesOf(this.series.value() ?? []).map((key) => ({ key, label: curveLabel(key) })),
  );
  protected readonly curve = computed(() => this.chosen('curve', this.curves()));
  protected readonly drawing = computed(() => {
    const series = this.series.value() ?? [];
    return series.length && this.curve() ? trackPlot(series, this.curve(), this.zero()) : null;
  });
  protected readonly events = computed(() =>
    eventsOf(
      this.tracks().filter((track) => track.title === this.title()),
      this.zero(),
    ),
  );
  protected readonly mark = markText;
  /** Baseline and candidate, where the address has both. */
  private readonly pair = computed(
    () => {
      const pair = [this.asked('baseline'), this.asked('candidate')];
      return pair.every(Boolean) ? pair : [];
    },
    { equal: (a, b) => a.join() === b.join() },
  );
  protected readonly groups = computed(() => this.detail.value()?.item.groups ?? []);
  protected readonly choices = computed(() => this.groups().map(same));
  protected readonly sides = [$localize`Baseline`, $localize`Candidate`];
  protected readonly compared = computed(() =>
    this.pair().length ? this.pair() : this.groups().slice(0, 2),
  );

  constructor() {
    captioned(() => {
      const item = this.detail.value()?.item;
      return {
        source: [item?.scenario, this.id()].filter(Boolean).join('; '),
        emulated: emulatedBy(item?.notes ?? []),
      };
    });
    effect(() => {
      this.id();
      this.loaded.clear();
      untracked(() => {
        this.detail.clear();
        this.series.clear();
      });
    });
    effect(() => {
      this.id();
      this.step();
      this.pair();
      untracked(() => void this.reload());
    });
    poll(
      () => this.follow(),
      () => 5000,
    );
    effect(() => {
      const detail = this.detail.value();
      const title = this.title();
      const tracks = this.tracks().filter((track) => track.title === title);
      if (detail) {
        untracked(() => {
          // what is drawn is never another step than the one that is named
          if (title !== this.shown) {
            this.series.clear();
            this.shown = title;
          }
          void this.series.load((signal) =>
            inTurn(tracks, async (track) => {
              const names = sourcesOf(detail.series, track.key);
              const tables = await inTurn(names, (name) => this.seriesOf(detail, name, signal));
              return { track, tables: tables.flat() };
            }),
          );
        });
      }
    });
  }

  /** Return a series; while a test goes on, those of steps that ended are asked for once. */
  private async seriesOf(
    { item }: RecoveryDetail,
    name: string,
    signal: AbortSignal,
  ): Promise<SeriesTable[]> {
    const key = `${item.id} ${item.ended} ${name}`;
    const kept = this.loaded.get(key);
    if (kept) {
      return kept;
    }
    const tables = await this.api.recoverySeries(item.id, name, signal);
    // an observed recovery gets further samples under the same name
    if (item.steps || item.ended !== null) {
      this.loaded.set(key, tables);
    }
    return tables;
  }

  private async follow(): Promise<void> {
    if (this.detail.value()?.item.ended === null) {
      await this.reload();
    }
  }

  protected async reload(): Promise<void> {
    await this.detail.load((signal) => this.api.recovery(this.id(), this.pair(), signal));
  }

  private asked(name: string): string {
    return this.router.query().get(name) ?? '';
  }

  /** Return which of options the address names; the first one where it names none. */
  private chosen(name: string, options: readonly Option[]): string {
    const key = this.asked(name);
    return options.some((one) => one.key === key) ? key : (options[0]?.key ?? '');
  }

  protected choose(name: 'step' | 'curve', key: string): void {
    this.router.patchQuery({ [name]: key });
  }

  /** Compare other groups than the first two; of the same one, they change places. */
  protected compare(at: 0 | 1, name: string): void {
    const pair = this.compared();
    const other = pair[1 - at] === name ? pair[at] : pair[1 - at];
    const [baseline, candidate] = at ? [other, name] : [name, other];
    this.router.patchQuery({ baseline, candidate });
  }

  protected leave(): void {
    this.router.navigate('/recoveries');
  }
}
