import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  signal,
  untracked,
} from '@angular/core';
import { Api } from '../core/api';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { paced } from '../core/pace';
import { withQuery } from '../core/path';
import { Router } from '../core/router';
import { formatDuration } from '../core/units';
import { Journal, Progress, Run, RunDetail, Trial, hasEnded, isOfTrial } from '../models/run';
import { AbortRules } from '../shared/abort-rules';
import { captioned, emulatedBy } from '../shared/caption';
import { ItemActions } from '../shared/item-actions';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { originText } from '../shared/origin';
import { RunStateTag } from '../shared/state-tag';
import { stateText } from '../shared/states';
import { Time } from '../shared/time';
import { factsOf, placementOf } from './run-facts';
import { RunEvidence } from './run-evidence';
import { RunLive } from './run-live';
import { RunTimeline } from './run-timeline';
import { RunTrials } from './run-trials';
import { Heads } from '../shared/heads';
import { ScrollHint } from '../shared/scroll-hint';
import { CardHead } from '../shared/card-head';

/** Milliseconds between two readings of a run whose trials go on: all of it is large. */
const PAUSE = 10_000;

/** Show one run: what it does, what it did, and what it left. */
@Component({
  selector: 'pc-run-detail',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [
    AbortRules,
    CardHead,
    ErrorMessage,
    Heads,
    ItemActions,
    Link,
    Loading,
    RunEvidence,
    RunLive,
    RunStateTag,
    RunTimeline,
    RunTrials,
    ScrollHint,
    Time,
  ],
  templateUrl: './run-detail.html',
})
export class RunDetailPage {
  private readonly api = inject(Api);
  private readonly router = inject(Router);
  private readonly live = inject(Live);
  readonly id = input.required<string>();

  protected readonly detail = new Loader<RunDetail>();
  protected readonly journal = new Loader<Journal>();
  protected readonly journalOpen = signal(false);
  protected readonly progress = computed<Progress | null>(() => {
    const now = this.live.progress();
    return now?.run === this.id() ? now : null;
  });
  private readonly step = computed(() => {
    const now = this.progress();
    return now ? `${now.state} ${now.trial}` : '';
  });
  protected readonly ended = hasEnded;
  protected readonly facts = factsOf;
  protected readonly placed = placementOf;
  protected readonly duration = formatDuration;
  protected readonly state = stateText;
  protected readonly origin = originText;

  constructor() {
    captioned(() => {
      const plan = this.detail.value()?.run.plan;
      return {
        source: [plan?.profile.name, this.id()].filter(Boolean).join('; '),
        emulated: emulatedBy(plan?.labels ?? []),
      };
    });
    const follow = paced(() => void this.reload(), PAUSE);
    let shown = '';
    effect(() => {
      this.id();
      untracked(() => {
        this.detail.clear();
        this.journal.clear();
      });
    });
    effect(() => {
      const id = this.id();
      const [state] = this.step().split(' ');
      untracked(() => {
        follow(id !== shown || !isOfTrial(state));
        shown = id;
        // what it says is there now: each step makes or removes something
        if (this.journalOpen()) {
          void this.loadJournal();
        }
      });
    });
  }

  protected async reload(): Promise<void> {
    await this.detail.load((signal) => this.api.run(this.id(), signal));
  }

  protected async loadJournal(): Promise<void> {
    await this.journal.load((signal) => this.api.journal(this.id(), signal));
  }

  protected toggleJournal(event: Event): void {
    const open = (event.target as HTMLDetailsElement).open;
    this.journalOpen.set(open);
    if (open) {
      void this.loadJournal();
    }
  }

  protected comparable(trials: Trial[]): boolean {
    return new Set(trials.map((trial) => trial.group)).size > 1;
  }

  protected comparePath(run: Run): string {
    const [baseline, candidate] = run.plan.groups;
    return withQuery('/compare', {
      baseline: baseline?.name,
      candidate: candidate?.name,
      run: run.id,
    });
  }

  protected leave(): void {
    this.router.navigate('/runs');
  }
}
