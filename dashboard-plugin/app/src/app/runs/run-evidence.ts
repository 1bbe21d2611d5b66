import {
  ChangeDetectionStrategy,
  Component,
  Signal,
  WritableSignal,
  computed,
  effect,
  inject,
  input,
  signal,
  untracked,
} from '@angular/core';
import { Api } from '../core/api';
import { Loader } from '../core/loader';
import { fixed } from '../core/locale';
import { paced } from '../core/pace';
import { formatByteRate, formatLatency, formatOps, formatPercent } from '../core/units';
import { RunFindings, RunHosts, RunOsds } from '../models/evidence';
import { Heads } from '../shared/heads';
import { ScrollHint } from '../shared/scroll-hint';
import { LoadShares } from './load-shares';

/** OSDs of a table that are shown: those most unlike the others. */
const SHOWN = 20;

/** Milliseconds between two readings of what is made of all trials. */
const PAUSE = 30_000;

/** Show what limited a run, its OSDs, its hosts and notes, each when it is opened. */
@Component({
  selector: 'pc-run-evidence',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Heads, LoadShares, ScrollHint],
  templateUrl: './run-evidence.html',
})
export class RunEvidence {
  private readonly api = inject(Api);
  readonly run = input.required<string>();
  /** Read again when it changes: a run under way has more every trial. */
  readonly trials = input(0);
  protected readonly findings = new Loader<RunFindings>();
  protected readonly osds = new Loader<RunOsds>();
  protected readonly hosts = new Loader<RunHosts>();
  protected readonly findingsOpen = signal(false);
  protected readonly osdsOpen = signal(false);
  protected readonly hostsOpen = signal(false);
  protected readonly notesOpen = signal(false);

  constructor() {
    this.loaded(
      this.findings,
      computed(() => this.findingsOpen() || this.notesOpen()),
      (run, signal) => this.api.runFindings(run, signal),
    );
    this.loaded(this.osds, this.osdsOpen, (run, signal) => this.api.runOsds(run, SHOWN, signal));
    this.loaded(this.hosts, this.hostsOpen, (run, signal) => this.api.runHosts(run, signal));
  }

  protected toggle(event: Event, open: WritableSignal<boolean>): void {
    open.set((event.target as HTMLDetailsElement).open);
  }

  protected readonly percent = formatPercent;
  protected readonly fixed = fixed;
  protected readonly latency = formatLatency;
  protected readonly ops = formatOps;
  protected readonly bytes = formatByteRate;

  /** Load when it is opened, of another run, and after more trials: of these not each time. */
  private loaded<T extends { run: string }>(
    loader: Loader<T>,
    open: Signal<boolean>,
    ask: (run: string, signal: AbortSignal) => Promise<T>,
  ): void {
    let loaded = '';
    const load = () => {
      const run = this.run();
      if (open()) {
        loaded = run;
        void loader.load((signal) => ask(run, signal));
      }
    };
    const follow = paced(load, PAUSE);
    effect(() => {
      const run = this.run();
      this.trials();
      if (!open()) {
        return;
      }
      untracked(() => {
        if (run !== loaded) {
          loader.clear();
        }
        follow(run !== loaded || !!loader.error());
      });
    });
  }
}
