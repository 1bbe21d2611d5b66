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
import { choice } from '../core/choice';
import { Api } from '../core/api';
import { asApiError } from '../core/api-error';
import { inTurn } from '../core/in-turn';
import { Loader } from '../core/loader';
import { NOT_AVAILABLE } from '../core/units';
import { Trial } from '../models/run';
import { ChartCard } from '../shared/chart-card';
import { Host, HostSeries, hostMetrics, hostPlot } from './hosts';
import { Choice } from '../shared/choice';
import { ScrollHint } from '../shared/scroll-hint';
import { Side } from '../shared/side';
import { CardHead } from '../shared/card-head';

/** Hosts of each side that are drawn: those where the figure is highest. */
const DRAWN = 8;

/** Show the hosts of both groups side by side, over one trial of each. */
@Component({
  selector: 'pc-host-panel',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [CardHead, ChartCard, Choice, ScrollHint, Side],
  templateUrl: './host-panel.html',
})
export class HostPanel {
  private readonly api = inject(Api);
  readonly trials = input.required<{ side: 0 | 1; trial: Trial }[]>();
  /** Of both sides. */
  readonly names = input.required<readonly string[]>();
  readonly file = input('');

  protected readonly hosts = computed((): Host[] =>
    this.trials().flatMap(({ side, trial }) =>
      Object.entries(trial.evidence.hosts ?? {}).map(([name, figures]) => ({
        side,
        group: this.names()[side],
        name,
        figures,
      })),
    ),
  );
  protected readonly metrics = computed(() => hostMetrics(this.hosts()));
  protected readonly key = choice(() => this.metrics());
  protected readonly metric = computed(() =>
    this.metrics().find((metric) => metric.key === this.key()),
  );
  protected readonly rows = computed(() =>
    this.hosts().map((host) => ({
      host,
      cells: this.metrics().map((metric) => metric.format(metric.of(host.figures))),
    })),
  );
  /** Lines of single hosts are asked for when they are wanted. */
  private readonly opened = signal(false);
  protected readonly series = new Loader<HostSeries[]>();
  protected readonly drawing = computed(() => {
    const metric = this.metric();
    const series = this.series.value() ?? [];
    return metric && series.length ? hostPlot(series, metric) : null;
  });
  protected readonly none = NOT_AVAILABLE;

  constructor() {
    effect(() => {
      const metric = this.metric();
      const hosts = this.hosts();
      if (!metric || !this.opened()) {
        return;
      }
      const value = (host: Host) => metric.of(host.figures) ?? -1;
      const chosen = [0, 1].flatMap((side) =>
        hosts
          .filter((host) => host.side === side)
          .sort((a, b) => value(b) - value(a))
          .slice(0, DRAWN),
      );
      untracked(() => void this.series.load((signal) => this.load(chosen, signal)));
    });
  }

  protected toggled(event: Event): void {
    this.opened.set((event.target as HTMLDetailsElement).open);
  }

  private async load(hosts: Host[], signal: AbortSignal): Promise<HostSeries[]> {
    const found = await inTurn(hosts, async (host): Promise<HostSeries[]> => {
      const trial = this.trials().find(({ side }) => side === host.side)?.trial;
      try {
        return trial
          ? [
              {
                host,
                table: await this.api.series(trial.run, trial, `host.${host.name}`, signal),
              },
            ]
          : [];
      } catch (error) {
        if (signal.aborted || asApiError(error).status !== 404) {
          throw error;
        }
        return []; // thinned out by retention, or of a host that fell silent
      }
    });
    return found.flat();
  }
}
