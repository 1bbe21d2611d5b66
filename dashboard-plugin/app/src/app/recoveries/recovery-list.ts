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
import { PAGE, offsetOf } from '../core/path';
import { poll } from '../core/polling';
import { Router } from '../core/router';
import { formatBytes, formatDuration } from '../core/units';
import { RecoveryList } from '../models/recovery';
import { Command } from '../shared/command';
import { Import } from '../shared/import';
import { ItemActions } from '../shared/item-actions';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { originText } from '../shared/origin';
import { Pager, turnBack } from '../shared/pager';
import { stateText } from '../shared/states';
import { Time } from '../shared/time';
import { Heads } from '../shared/heads';
import { ScrollHint } from '../shared/scroll-hint';

/** List recoveries, those that happened and those that were provoked. */
@Component({
  selector: 'pc-recovery-list',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [
    Command,
    ErrorMessage,
    Heads,
    Import,
    ItemActions,
    Link,
    Loading,
    Pager,
    ScrollHint,
    Time,
  ],
  templateUrl: './recovery-list.html',
})
export class RecoveryListPage {
  private readonly api = inject(Api);
  private readonly router = inject(Router);
  protected readonly page = new Loader<RecoveryList>();
  protected readonly live = inject(Live);
  protected readonly offset = computed(() => offsetOf(this.router.query()));
  protected readonly rows = computed(() => {
    const page = this.page.value();
    return page ? [...(page.current ? [page.current] : []), ...page.items] : [];
  });
  protected readonly bytes = formatBytes;
  protected readonly duration = formatDuration;
  protected readonly state = stateText;
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
    const found = this.page.value();
    if (found && !found.items.length) {
      turnBack(this.router, 'recoveries', found.total);
    }
  }
}
