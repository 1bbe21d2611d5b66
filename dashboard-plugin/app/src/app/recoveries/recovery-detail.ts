import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  linkedSignal,
  signal,
  untracked,
} from '@angular/core';
import { Api } from '../core/api';
import { download } from '../core/download';
import { Loader } from '../core/loader';
import {
  formatByteRate,
  formatBytes,
  formatLatency,
  formatOps,
  formatPercent,
} from '../core/units';
import { PhaseFigures, RecoveryDetail } from '../models/recovery';
import { inTurn } from '../compare/row-evidence';
import { ChartCard } from '../shared/chart-card';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { Time } from '../shared/time';
import { MARKS, TrackSeries, curveLabel, curvesOf, markText, trackPlot, tracksOf } from './tracks';

/** Show one recovery: its moments and phases, group beside group. */
@Component({
  selector: 'pc-recovery-detail',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [ChartCard, ErrorMessage, Link, Loading, Time],
  templateUrl: './recovery-detail.html',
})
export class RecoveryDetailPage {
  private readonly api = inject(Api);
  readonly id = input.required<string>();
  protected readonly detail = new Loader<RecoveryDetail>();
  protected readonly series = new Loader<TrackSeries[]>();
  protected readonly problem = signal('');
  protected readonly marks = MARKS;
  protected readonly tracks = computed(() => {
    const item = this.detail.value()?.item;
    return item ? tracksOf(item) : [];
  });
  /** What is drawn: one step at a time, all groups. */
  protected readonly titles = computed(() => [...new Set(this.tracks().map((one) => one.title))]);
  protected readonly title = linkedSignal(() => this.titles()[0] ?? '');
  protected readonly curves = computed(() =>
    curvesOf(this.series.value() ?? []).map((name) => ({ name, label: curveLabel(name) })),
  );
  protected readonly curve = linkedSignal(() => this.curves()[0]?.name ?? '');
  protected readonly drawing = computed(() => {
    const series = this.series.value() ?? [];
    return series.length && this.curve() ? trackPlot(series, this.curve()) : null;
  });
  protected readonly mark = markText;

  constructor() {
    effect(() => {
      this.id();
      untracked(() => void this.reload());
    });
    effect(() => {
      const detail = this.detail.value();
      const tracks = this.tracks().filter((track) => track.title === this.title());
      if (detail) {
        untracked(
          () =>
            void this.series.load((signal) =>
              inTurn(tracks, async (track) => {
                const names = detail.series.filter(
                  (name) => name === track.key || name.startsWith(`${track.key}/`),
                );
                const tables = await inTurn(names, (name) =>
                  this.api.recoverySeries(detail.item.id, name, signal),
                );
                return { track, tables: tables.flat() };
              }),
            ),
        );
      }
    });
  }

  protected async reload(): Promise<void> {
    await this.detail.load((signal) => this.api.recovery(this.id(), signal));
  }

  protected chosen(event: Event): string {
    return (event.target as HTMLSelectElement).value;
  }

  protected span(phase: PhaseFigures): string {
    const { seconds, accuracy, censored } = phase.span;
    return `${censored ? '> ' : ''}${seconds.toFixed(1)} s ±${accuracy.toFixed(1)}`;
  }

  protected facts(phase: PhaseFigures): string {
    const facts = [
      phase.bytes_recovered ? formatBytes(phase.bytes_recovered) : '',
      phase.bytes_per_s ? formatByteRate(phase.bytes_per_s) : '',
      phase.degraded_share ? $localize`degraded ${formatPercent(phase.degraded_share)}` : '',
      phase.misplaced_share ? $localize`misplaced ${formatPercent(phase.misplaced_share)}` : '',
      ...Object.entries(phase.client).map(([name, value]) => clientFact(name, value)),
    ];
    return facts.filter(Boolean).join(', ');
  }

  protected async save(): Promise<void> {
    this.problem.set('');
    try {
      const text = await this.api.exportRecovery(this.id());
      download(`perfcompare-recovery-${this.id()}.json`, text, 'application/json');
    } catch (error) {
      this.problem.set(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Say one figure of the clients, by what its name ends in. */
function clientFact(name: string, value: number | null): string {
  if (value === null) {
    return '';
  }
  const words = name.replace(/_/g, ' ');
  if (name.endsWith('ops_per_s')) {
    return `${words.replace(' ops per s', '')} ${formatOps(value)}`;
  }
  if (name.endsWith('share')) {
    return `${words} ${formatPercent(value)}`;
  }
  return /latency|stall/.test(name) ? `${words} ${formatLatency(value)}` : `${words} ${value}`;
}
