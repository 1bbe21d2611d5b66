import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  signal,
  untracked,
} from '@angular/core';
import { Api } from '../core/api';
import { asApiError } from '../core/api-error';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { withQuery } from '../core/path';
import { Router } from '../core/router';
import { formatBytes, formatDuration, formatPercent } from '../core/units';
import { Progress, RunInfo, RunPage, hasEnded } from '../models/run';
import { Command } from '../shared/command';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { RunStateTag } from '../shared/state-tag';
import { Time } from '../shared/time';
import { originText } from './origin';
import { RunActions } from './run-actions';

const PAGE = 20;

/** List runs, the newest first, with what the active one does. */
@Component({
  selector: 'pc-run-list',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Command, ErrorMessage, Link, Loading, RunActions, RunStateTag, Time],
  templateUrl: './run-list.html',
})
export class RunList {
  private readonly api = inject(Api);
  private readonly router = inject(Router);
  protected readonly live = inject(Live);
  protected readonly page = new Loader<RunPage>();
  protected readonly problem = signal('');
  protected readonly imported = signal('');
  protected readonly importing = signal(false);
  protected readonly offset = computed(() => {
    const offset = Number(this.router.query().get('offset'));
    return Number.isInteger(offset) && offset > 0 ? offset : 0;
  });
  protected readonly last = computed(() => {
    const page = this.page.value();
    return page ? page.offset + page.runs.length : 0;
  });
  protected readonly newer = computed(() =>
    withQuery('/runs', { offset: Math.max(0, this.offset() - PAGE) || null }),
  );
  protected readonly older = computed(() => withQuery('/runs', { offset: this.offset() + PAGE }));
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

  protected async importFile(event: Event): Promise<void> {
    const field = event.target as HTMLInputElement;
    const file = field.files?.[0];
    if (!file) {
      return;
    }
    this.problem.set('');
    this.imported.set('');
    this.importing.set(true);
    try {
      const run = await this.api.importRun(await file.text());
      this.imported.set(run.id);
      await this.reload();
    } catch (error) {
      this.problem.set(asApiError(error).message);
    } finally {
      this.importing.set(false);
      field.value = '';
    }
  }
}
