import { ChangeDetectionStrategy, Component, computed, inject, input, signal } from '@angular/core';
import { download, toCsv } from '../core/download';
import { Router } from '../core/router';
import { formatByteRate, formatLatency, formatOps } from '../core/units';
import { Run, Trial, hasEnded } from '../models/run';
import { Time } from '../shared/time';
import { Heads } from '../shared/heads';
import { ScrollHint } from '../shared/scroll-hint';
import { CardHead } from '../shared/card-head';
import { emulatedBy } from '../shared/caption';

const STEP = 40;

/** List the trials of a run, to be filtered by workload and group. */
@Component({
  selector: 'pc-run-trials',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [CardHead, Heads, ScrollHint, Time],
  templateUrl: './run-trials.html',
})
export class RunTrials {
  private readonly router = inject(Router);
  readonly trials = input.required<Trial[]>();
  readonly run = input.required<Run>();

  protected readonly limit = signal(STEP);
  protected readonly workload = computed(() => this.router.query().get('workload') ?? '');
  protected readonly group = computed(() => this.router.query().get('group') ?? '');
  /** In the order of execution; of an active run the newest first. */
  private readonly ordered = computed(() =>
    hasEnded(this.run().state) ? this.trials() : [...this.trials()].reverse(),
  );
  protected readonly chosen = computed(() =>
    this.ordered().filter(
      (trial) =>
        (!this.workload() || trial.workload === this.workload()) &&
        (!this.group() || trial.group === this.group()),
    ),
  );
  protected readonly shown = computed(() => this.chosen().slice(0, this.limit()));
  protected readonly ops = formatOps;
  protected readonly rate = formatByteRate;
  protected readonly latency = formatLatency;

  protected filter(name: 'workload' | 'group', event: Event): void {
    this.limit.set(STEP);
    this.router.patchQuery({ [name]: (event.target as HTMLSelectElement).value });
  }

  protected more(): void {
    this.limit.update((limit) => limit + 5 * STEP);
  }

  protected save(): void {
    const header = [
      'round',
      'block',
      'attempt',
      'position',
      'workload',
      'group',
      'state',
      'started',
      'ended',
      'ops_per_s',
      'bytes_per_s',
      'latency_avg_s',
      'latency_max_s',
      'errors',
      'reason',
      'run',
      'emulated',
    ];
    const { id, plan } = this.run();
    const emulated = emulatedBy(plan.labels);
    const rows = this.chosen().map((t) => [
      t.round,
      t.block,
      t.attempt,
      t.position,
      t.workload,
      t.group,
      t.state,
      t.started,
      t.ended,
      t.summary?.ops_per_s,
      t.summary?.bytes_per_s,
      t.summary?.latency_avg,
      t.summary?.latency_max,
      t.summary?.errors,
      t.reason,
      id,
      emulated.includes(t.group),
    ]);
    download(`perfcompare-${id}-trials.csv`, toCsv([header, ...rows]), 'text/csv');
  }
}
