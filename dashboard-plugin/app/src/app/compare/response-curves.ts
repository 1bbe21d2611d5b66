import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { formatInterval, formatOps, formatRatio } from '../core/units';
import { Comparison, CurveSide, Estimate, ResponseCurve, Spread } from '../models/comparison';
import { captioned, captionOf } from '../shared/caption';
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

  constructor() {
    captioned(() => captionOf(this.comparison()));
  }

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
  return {
    curve,
    at: curve.slo || (isOffered ? '–' : $localize`peak`),
    // what the latency of these counts, and what it does not
    closed: isOffered && curve.loop !== OPEN,
    lines: [
      line(curve, curve.estimate, (side) => side.figure, false),
      ...(curve.per_osd ? [line(curve, curve.per_osd, (side) => side.per_osd, true)] : []),
    ],
    charts: (isOffered ? offeredCharts(curve) : flyingCharts(curve)).flatMap(
      ({ drawing, ...chart }) => (drawing ? [{ ...chart, drawing }] : []),
    ),
    shape: isOffered ? [] : shapeRows(curve),
  };
}

/** Return what is judged: of the whole groups, or of one of their OSDs. */
function line(
  curve: ResponseCurve,
  estimate: Estimate,
  read: (side: CurveSide) => Spread,
  perOsd: boolean,
) {
  const { ratio, low, high } = estimate;
  return {
    perOsd,
    estimate,
    figures: [curve.baseline, curve.candidate].map((side) => ({
      group: side.group,
      text: figure(side, read(side).median),
    })),
    ratio:
      ratio === null
        ? ''
        : `${SIGNS[curve.censored]}×${formatRatio(ratio)} ${formatInterval(low, high)}`,
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
function figure({ above, below }: CurveSide, median: number | null): string {
  return median === null || (above && below)
    ? $localize`not available`
    : (above ? '≥ ' : below ? '≤ ' : '') + formatOps(median);
}
