import {
  ChangeDetectionStrategy,
  Component,
  ViewEncapsulation,
  computed,
  effect,
  inject,
} from '@angular/core';
import { HOST } from './core/host';
import { Live } from './core/live';
import { Router } from './core/router';
import { formatDuration, formatPercent } from './core/units';
import { ComparePage } from './compare/compare-page';
import { GroupList } from './groups/group-list';
import { RecoveryDetailPage } from './recoveries/recovery-detail';
import { RecoveryListPage } from './recoveries/recovery-list';
import { RecoveryForm } from './recovery-form/recovery-form';
import { RunDetailPage } from './runs/run-detail';
import { RunForm } from './run-form/run-form';
import { RunList } from './runs/run-list';
import { Api } from './core/api';
import { ApiError } from './core/api-error';
import { ErrorMessage } from './shared/message';
import { Link } from './shared/link';
import { Loading } from './shared/loading';
import { Unloaded } from './shared/unloaded';

/** Hold the frame of all pages: title, tabs, and what runs now. */
@Component({
  selector: 'pc-root',
  // the shell's own styles differ between releases and must stay outside
  encapsulation: ViewEncapsulation.ShadowDom,
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [
    ComparePage,
    ErrorMessage,
    GroupList,
    Link,
    Loading,
    RecoveryDetailPage,
    RecoveryForm,
    RecoveryListPage,
    RunDetailPage,
    RunForm,
    RunList,
    Unloaded,
  ],
  templateUrl: './app.html',
  styleUrls: [
    './styles/theme.css',
    './styles/controls.css',
    './styles/tables.css',
    './styles/pages.css',
    './styles/print.css',
  ],
})
export class App {
  private readonly host = inject(HOST);
  private readonly api = inject(Api);
  private readonly router = inject(Router);
  protected readonly live = inject(Live);
  protected readonly page = computed(() => this.router.route().page);
  protected readonly id = computed(() => this.router.route().id);
  protected readonly tabs = [
    { path: '/compare', pages: ['compare'], text: $localize`Compare` },
    { path: '/runs', pages: ['runs', 'run'], text: $localize`Runs` },
    { path: '/new', pages: ['new'], text: $localize`New run` },
    {
      path: '/recoveries',
      pages: ['recoveries', 'recovery', 'test'],
      text: $localize`Recoveries`,
    },
    { path: '/groups', pages: ['groups'], text: $localize`Groups` },
  ];
  protected readonly percent = formatPercent;
  protected readonly duration = formatDuration;
  /** An error that makes every page useless. */
  protected readonly blocked = computed(() => {
    if (this.api.expired()) {
      return new ApiError(401, '');
    }
    const error = this.live.error();
    return error && [0, 403, 503].includes(error.status) ? error : null;
  });
  /** Nothing is known yet: neither status nor error. */
  protected readonly waiting = computed(() => !this.live.status() && !this.live.error());

  constructor() {
    effect(() => {
      const tab = this.tabs.find((t) => t.pages.includes(this.page()));
      const title = [tab?.text, this.id()].filter(Boolean).join(' ');
      this.host.element.dispatchEvent(
        new CustomEvent('perfcompare-title', {
          detail: { title },
          bubbles: true,
          composed: true,
        }),
      );
    });
  }
}
