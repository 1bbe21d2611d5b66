import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { formatInterval, formatOps, formatRatio } from '../core/units';
import { Comparison, CurveSide, ResponseCurve } from '../models/comparison';
import { ChartCard } from '../shared/chart-card';
import { ScrollHint } from '../shared/scroll-hint';
import { VerdictTag } from '../shared/verdict-tag';
import { leadOf } from './answer';
import { offeredCpuPlot, offeredPlot } from './offered-plots';
import { cpuPlot, responsePlot, shapeRows } from './response-plots';

const OPEN = 'open';
const SIGNS = { '': '', 'at least': '≥ ', 'at most': '≤ ' };

/** Show response curves: who is faster at the limit, and the curves. */
@Component({
  selector: 'pc-response-curves',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [ChartCard, ScrollHint, VerdictTag],
  templateUrl: './response-curves.html',
})
export class ResponseCurves {
  readonly comparison = input.required<Comparison>();

  protected readonly curves = computed(() => this.comparison().curves.map((curve) => view(curve)));
  /** The claim of the headline; null while nothing is decided. */
  protected readonly lead = computed(() => {
    const count = (verdict: string) =>
      this.comparison().curves.filter(({ estimate }) => estimate.verdict === verdict).length;
    return leadOf({ faster: count('faster'), slower: count('slower') });
  });
  protected readonly alike = computed(() =>
    this.comparison().curves.every(({ estimate }) => estimate.verdict === 'no difference shown'),
  );
}

function view(curve: ResponseCurve) {
  const isOffered = curve.metric === 'offered';
  const { estimate, censored } = curve;
  return {
    curve,
    at: curve.slo || (isOffered ? '–' : $localize`peak`),
    // what the latency of these counts, and what it does not
    closed: isOffered && curve.loop !== OPEN,
    figures: [curve.baseline, curve.candidate].map((side) => ({
      group: side.group,
      text: figure(side),
    })),
    ratio:
      estimate.ratio === null
        ? ''
        : `${SIGNS[censored]}×${formatRatio(estimate.ratio)} ` +
          formatInterval(estimate.low, estimate.high),
    charts: (isOffered ? offeredCharts(curve) : flyingCharts(curve)).flatMap(
      ({ drawing, ...chart }) => (drawing ? [{ ...chart, drawing }] : []),
    ),
    shape: isOffered ? [] : shapeRows(curve),
  };
}

function flyingCharts(curve: ResponseCurve) {
  return [
    {
      file: 'curve',
      title: $localize`Latency over throughput`,
      summary: $localize`Each point is a number of operations in flight: medians over the rounds, lines as far as the rounds reach. Latency on a log axis.`,
      drawing: responsePlot(curve),
    },
    {
      file: 'cpu',
      title: $localize`CPU of the hosts over throughput`,
      summary: $localize`Busy share of all cores of a group's hosts.`,
      drawing: cpuPlot(curve),
    },
  ];
}

function offeredCharts(curve: ResponseCurve) {
  return [
    {
      file: 'offered',
      title: $localize`Latency over offered load`,
      summary: $localize`Each point is a rate that both groups were offered: medians over the rounds, lines as far as the rounds reach. Latency on a log axis. A cross: the group did less than 95 % of it in some round.`,
      drawing: offeredPlot(curve),
    },
    {
      file: 'cpu',
      title: $localize`CPU time of an operation over offered load`,
      summary: $localize`CPU time of the hosts of the OSDs, and of the load processes of the client, divided by the operations done. S3 gateways on other hosts are in neither.`,
      drawing: offeredCpuPlot(curve),
    },
  ];
}

/** Return op/s; beyond the ladder as a bound of it. */
function figure({ above, below, figure: { median } }: CurveSide): string {
  return median === null || (above && below)
    ? $localize`not available`
    : (above ? '≥ ' : below ? '≤ ' : '') + formatOps(median);
}
