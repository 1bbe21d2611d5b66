import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  untracked,
} from '@angular/core';
import { Api } from '../core/api';
import { Loader } from '../core/loader';
import { withQuery } from '../core/path';
import { poll } from '../core/polling';
import { Router } from '../core/router';
import { formatBytes, formatDuration } from '../core/units';
import { RecoveryList } from '../models/recovery';
import { originText } from '../runs/origin';
import { Command } from '../shared/command';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { Time } from '../shared/time';

const PAGE = 20;

/** List recoveries, those that happened and those that were provoked. */
@Component({
  selector: 'pc-recovery-list',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Command, ErrorMessage, Link, Loading, Time],
  templateUrl: './recovery-list.html',
})
export class RecoveryListPage {
  private readonly api = inject(Api);
  private readonly router = inject(Router);
  protected readonly page = new Loader<RecoveryList>();
  protected readonly offset = computed(() => {
    const offset = Number(this.router.query().get('offset'));
    return Number.isInteger(offset) && offset > 0 ? offset : 0;
  });
  protected readonly rows = computed(() => {
    const page = this.page.value();
    return page ? [...(page.current ? [page.current] : []), ...page.items] : [];
  });
  protected readonly newer = computed(() =>
    withQuery('/recoveries', { offset: Math.max(0, this.offset() - PAGE) || null }),
  );
  protected readonly older = computed(() =>
    withQuery('/recoveries', { offset: this.offset() + PAGE }),
  );
  protected readonly bytes = formatBytes;
  protected readonly duration = formatDuration;
  protected readonly origin = originText;

  constructor() {
    effect(() => {
      this.offset();
      untracked(() => void this.reload());
    });
    poll(
      () => this.reload(),
      () => (this.page.value()?.current ? 3000 : 15000),
    );
  }

  protected async reload(): Promise<void> {
    await this.page.load((signal) => this.api.recoveries(PAGE, this.offset(), signal));
  }
}
