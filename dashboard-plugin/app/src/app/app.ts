import {
  ChangeDetectionStrategy,
  Component,
  DestroyRef,
  ElementRef,
  ViewEncapsulation,
  computed,
  effect,
  inject,
  linkedSignal,
  signal,
  untracked,
} from '@angular/core';
import { HOST } from './core/host';
import { Live } from './core/live';
import { parsePath } from './core/path';
import { Router } from './core/router';
import { formatPercent } from './core/units';
import { ChecksPage } from './checks/checks-page';
import { ComparePage } from './compare/compare-page';
import { GroupList } from './groups/group-list';
import { ProfilesPage } from './profiles/profiles-page';
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
import { stateText } from './shared/states';
import { leftText } from './shared/time-left';
import { Unloaded } from './shared/unloaded';

const HEADING_PAUSE = 60; // milliseconds
const HEADING_TRIES = 50;
/** Pages whose address says what is searched, sorted and compared. */
const KEPT = ['compare', 'runs', 'recoveries'];

function follows(element: Element, other: Element): boolean {
  const position = other.compareDocumentPosition(element);
  return !!(position & Node.DOCUMENT_POSITION_FOLLOWING);
}

/** Hold the frame of all pages: title, tabs, and what runs now. */
@Component({
  selector: 'pc-root',
  // the shell's own styles differ between releases and must stay outside
  encapsulation: ViewEncapsulation.ShadowDom,
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [
    ChecksPage,
    ComparePage,
    ErrorMessage,
    GroupList,
    Link,
    Loading,
    ProfilesPage,
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
    './styles/forest.css',
    './styles/pages.css',
    './styles/dark.css',
    './styles/print.css',
  ],
})
export class App {
  private readonly root = inject<ElementRef<HTMLElement>>(ElementRef);
  private waitingFor: ReturnType<typeof setTimeout> | undefined;
  private readonly host = inject(HOST);
  private readonly api = inject(Api);
  private readonly router = inject(Router);
  protected readonly live = inject(Live);
  protected readonly page = computed(() => this.router.route().page);
  protected readonly id = computed(() => this.router.route().id);
  private readonly row = computed(() =>
    this.page() === 'compare' ? (this.router.query().get('row') ?? '') : '',
  );
  /** The view of a comparison, where it is not the one that opens. */
  private readonly view = computed(() => {
    const view = this.page() === 'compare' ? this.router.query().get('view') : '';
    return view === 'matrix' ? $localize`Matrix` : view === 'table' ? $localize`Table` : '';
  });
  /** What a screen reader is told of: runs that begin and end. */
  protected readonly announced = signal('');
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
    { path: '/profiles', pages: ['profiles'], text: $localize`Profiles` },
    { path: '/checks', pages: ['checks'], text: $localize`Checks` },
  ];
  /** Where each page was left, with what its address says. */
  private readonly left = linkedSignal<string, Record<string, string>>({
    source: this.host.pathSignal,
    computation: (path, former) => ({ ...former?.value, [parsePath(path).page]: path }),
  });
  protected readonly percent = formatPercent;
  protected readonly state = stateText;
  protected readonly timeLeft = leftText;
  /** An error that makes every page useless. */
  protected readonly blocked = computed(() => {
    if (this.api.expired()) {
      return new ApiError(401, '');
    }
    const error = this.live.error();
    // the module, or the way to it, failed: nothing is wrong with what was asked
    const failed = error && (!error.status || error.status >= 500);
    return (failed && !this.live.status()) || error?.status === 403 ? error : null;
  });
  /** The status cannot be had any more, why ever: what is shown stays, and may be old. */
  protected readonly silent = computed(() =>
    this.blocked() || this.live.error()?.status === 401
      ? null
      : this.live.status() && this.live.error(),
  );
  /** Nothing is known yet: neither status nor error. */
  protected readonly waiting = computed(() => !this.live.status() && !this.live.error());

  constructor() {
    effect(() => {
      const tab = this.tabs.find((t) => t.pages.includes(this.page()));
      const title = [tab?.text, this.id(), this.row() || this.view()].filter(Boolean).join(' ');
      this.host.element.dispatchEvent(
        new CustomEvent('perfcompare-title', {
          detail: { title },
          bubbles: true,
          composed: true,
        }),
      );
    });
    this.announceRuns();
    this.focusHeadings();
  }

  /** Return where a tab leads: to its list as it was left, from that list to its start. */
  protected pathOf({ path, pages: [page] }: { path: string; pages: string[] }): string {
    const kept = KEPT.includes(page) && page !== this.page();
    return (kept && this.left()[page]) || path;
  }

  private announceRuns(): void {
    let former = '';
    let isTest = false;
    effect(() => {
      const now = this.live.activeRun();
      const { last = '', progress } = untracked(this.live.status) ?? {};
      if (now && now !== former) {
        isTest = !!progress?.scenario;
        this.announced.set(
          isTest
            ? $localize`Recovery test ${now} is under way`
            : $localize`Run ${now} is under way`,
        );
      } else if (former && !now) {
        this.announced.set(
          isTest
            ? $localize`Recovery test ended: ${last || former}`
            : $localize`Run ended: ${last || former}`,
        );
      }
      former = now;
    });
  }

  /** Move the focus to the heading of a page that was gone to. */
  private focusHeadings(): void {
    let shown: string | null = null;
    effect(() => {
      const next = `${this.page()} ${this.id()} ${this.row()}`;
      const first = shown === null;
      if (next !== shown) {
        shown = next;
        if (!first) {
          clearTimeout(this.waitingFor);
          this.focusHeading(HEADING_TRIES, this.focused());
        }
      }
    });
    inject(DestroyRef).onDestroy(() => clearTimeout(this.waitingFor));
  }

  private focused(): Element | null {
    return this.root.nativeElement.shadowRoot?.activeElement ?? null;
  }

  /** Parts of pages come later: look for the heading until it is there.
   *
   * As long as something loads it may come; what is below it may be loading
   * still. Who has moved the focus meanwhile, from `former`, keeps it.
   */
  private focusHeading(tries: number, former: Element | null): void {
    this.waitingFor = setTimeout(() => {
      const root = this.root.nativeElement.shadowRoot;
      const focused = this.focused();
      if (focused && focused !== former) {
        return;
      }
      // lists have no heading of their own
      const own = tries > HEADING_TRIES / 2 ? '.page h2' : '.page h2, h1';
      const heading = root?.querySelector<HTMLElement>(own);
      const loading = root?.querySelector('.page .skeleton');
      if (heading && !(loading && follows(heading, loading))) {
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      } else if (loading || tries > 1) {
        this.focusHeading(loading ? tries : tries - 1, former);
      }
    }, HEADING_PAUSE);
  }
}
