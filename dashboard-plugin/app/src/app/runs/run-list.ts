import {
  ChangeDetectionStrategy,
  Component,
  DestroyRef,
  computed,
  effect,
  inject,
  signal,
  untracked,
} from '@angular/core';
import { Api } from '../core/api';
import { Attention } from '../core/attention';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { paced } from '../core/pace';
import { PAGE, offsetOf, withQuery } from '../core/path';
import { Router } from '../core/router';
import { formatBytes, formatDuration, formatPercent } from '../core/units';
import { Progress, RunInfo, RunPage, hasEnded } from '../models/run';
import { Choice } from '../shared/choice';
import { Command } from '../shared/command';
import { Import } from '../shared/import';
import { ItemActions } from '../shared/item-actions';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { originText } from '../shared/origin';
import { Pager, turnBack } from '../shared/pager';
import { RunStateTag } from '../shared/state-tag';
import { Time } from '../shared/time';
import { leftText } from '../shared/time-left';
import { Heads } from '../shared/heads';
import { RunVerdictTags } from './run-verdicts';
import { ScrollHint } from '../shared/scroll-hint';

const PAUSE = 250; // milliseconds without a letter until it is looked for

const JUDGED_PAUSE = 2000; // milliseconds until it is seen whether runs are judged
const JUDGED_TRIES = 15;
const PROGRESS_PAUSE = 10_000; // milliseconds between two looks at a run that goes on
const NAMES = 2; // workloads that are named

const ORDERS = [
  { key: '', label: $localize`newest first` },
  { key: 'oldest', label: $localize`oldest first` },
  { key: 'longest', label: $localize`longest first` },
  { key: 'largest', label: $localize`largest first` },
  { key: 'state', label: $localize`state` },
  { key: 'label', label: $localize`label` },
];

/** List runs, to be searched and sorted, with what the active one does. */
@Component({
  selector: 'pc-run-list',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [
    Choice,
    Command,
    ErrorMessage,
    Heads,
    Import,
    ItemActions,
    Link,
    Loading,
    Pager,
    RunStateTag,
    RunVerdictTags,
    ScrollHint,
    Time,
  ],
  templateUrl: './run-list.html',
})
export class RunList {
  private readonly api = inject(Api);
  private readonly attention = inject(Attention);
  private readonly router = inject(Router);
  protected readonly live = inject(Live);
  protected readonly page = new Loader<RunPage>();
  protected readonly offset = computed(() => offsetOf(this.router.query()));
  /** What is looked for, as it was typed: a space may be followed by more. */
  protected readonly typed = computed(() => this.router.query().get('find') ?? '');
  protected readonly find = computed(() => this.typed().trim());
  protected readonly sort = computed(() => this.router.query().get('sort') ?? '');
  protected readonly search = computed(() => ({ find: this.find(), sort: this.sort() }));
  protected readonly orders = ORDERS;
  /** The active run, and its trial. */
  private readonly step = computed(
    () => {
      const { run = '', trial = '' } = this.live.progress() ?? {};
      return [run, trial];
    },
    { equal: (a, b) => a.join() === b.join() },
  );
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private judged: ReturnType<typeof setTimeout> | undefined;
  private tries = JUDGED_TRIES;
  /** Whether verdicts are waited for; a damaged run never has any. */
  protected readonly waits = signal(true);
  protected readonly judging = $localize`being judged…`;
  protected readonly ended = hasEnded;
  protected readonly bytes = formatBytes;
  protected readonly percent = formatPercent;
  protected readonly left = leftText;
  protected readonly origin = originText;

  constructor() {
    effect(() => {
      this.live.activeRun();
      this.offset();
      this.search();
      this.tries = JUDGED_TRIES;
      this.waits.set(true);
      untracked(() => void this.reload());
    });
    effect(() => {
      const open = this.page.value()?.runs.some((run) => this.isOpen(run)) ?? false;
      const here = this.attention.here();
      clearTimeout(this.judged);
      if (open && this.tries) {
        if (here) {
          this.judged = setTimeout(() => this.lookAgain(), JUDGED_PAUSE);
        }
      } else if (open) {
        this.waits.set(false);
      }
    });
    const follow = paced(() => void this.reload(), PROGRESS_PAUSE);
    let active = '';
    effect(() => {
      // trials, bytes and what can be compared grow while a run goes on
      const [run] = this.step();
      untracked(() => {
        if (run && run === active) {
          follow();
        }
        active = run;
      });
    });
    inject(DestroyRef).onDestroy(() => {
      clearTimeout(this.waiting);
      clearTimeout(this.judged);
    });
  }

  /** See whether runs are judged by now. */
  private lookAgain(): void {
    this.tries -= 1;
    void this.reload();
  }

  protected look(event: Event): void {
    const find = (event.target as HTMLInputElement).value;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.choose({ find }), PAUSE);
  }

  protected choose(values: { find?: string; sort?: string }): void {
    clearTimeout(this.waiting);
    this.router.patchQuery({ ...values, offset: null });
  }

  protected async reload(): Promise<void> {
    await this.page.load((signal) => this.api.runs(PAGE, this.offset(), signal, this.search()));
    const found = this.page.value();
    if (found && !found.runs.length) {
      turnBack(this.router, 'runs', found.total);
    }
  }

  /** Say whether a run has verdicts that are not known yet. */
  protected isOpen(run: RunInfo): boolean {
    return run.verdicts === null && hasEnded(run.state) && run.trials > 0 && run.groups.length > 1;
  }

  protected workloads({ workloads }: RunInfo): string {
    const named = workloads.slice(0, NAMES).join(', ');
    const more = workloads.length - NAMES;
    return more > 0 ? $localize`${named} and ${more} more` : named;
  }

  /** Return what is known of a run this moment. */
  protected progress(run: RunInfo): Progress | null {
    const now = this.live.progress();
    return now?.run === run.id && !hasEnded(run.state) ? now : null;
  }

  protected took(run: RunInfo): string {
    return run.started !== null && run.ended !== null
      ? formatDuration(run.ended - run.started)
      : '–';
  }

  protected comparePath(run: RunInfo): string {
    return withQuery('/compare', {
      baseline: run.groups[0],
      candidate: run.groups[1],
      run: run.id,
    });
  }
}
