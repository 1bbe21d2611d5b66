import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  untracked,
} from '@angular/core';
import { Api } from '../core/api';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { PAGE, offsetOf, withQuery } from '../core/path';
import { Router } from '../core/router';
import { formatBytes, formatDuration, formatPercent } from '../core/units';
import { Progress, RunInfo, RunPage, hasEnded } from '../models/run';
import { Command } from '../shared/command';
import { Import } from '../shared/import';
import { ItemActions } from '../shared/item-actions';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { originText } from '../shared/origin';
import { Pager } from '../shared/pager';
import { RunStateTag } from '../shared/state-tag';
import { Time } from '../shared/time';
import { Heads } from '../shared/heads';

/** List runs, the newest first, with what the active one does. */
@Component({
  selector: 'pc-run-list',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [
    Heads,
    Command,
    ErrorMessage,
    Import,
    ItemActions,
    Link,
    Loading,
    Pager,
    RunStateTag,
    Time,
  ],
  templateUrl: './run-list.html',
})
export class RunList {
  private readonly api = inject(Api);
  private readonly router = inject(Router);
  protected readonly live = inject(Live);
  protected readonly page = new Loader<RunPage>();
  protected readonly offset = computed(() => offsetOf(this.router.query()));
  protected readonly ended = hasEnded;
  protected readonly bytes = formatBytes;
  protected readonly percent = formatPercent;
  protected readonly duration = formatDuration;
  protected readonly origin = originText;

  constructor() {
    effect(() => {
      this.live.activeRun();
      this.offset();
      untracked(() => void this.reload());
    });
  }

  protected async reload(): Promise<void> {
    await this.page.load((signal) => this.api.runs(PAGE, this.offset(), signal));
  }

  /** Return what is known of a run this moment. */
  protected progress(run: RunInfo): Progress | null {
    const now = this.live.progress();
    return now?.run === run.id && !hasEnded(run.state) ? now : null;
  }

  protected took(run: RunInfo): string {
    return run.started !== null && run.ended !== null
      ? formatDuration(run.ended - run.started)
      : '';
  }

  protected comparePath(run: RunInfo): string {
    return withQuery('/compare', {
      baseline: run.groups[0],
      candidate: run.groups[1],
      run: run.id,
    });
  }
}
