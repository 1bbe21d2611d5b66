/** The matrix as a picture of its own, for slides and mails. */

import { formatRatio } from '../core/units';
import { Comparison } from '../models/comparison';
import { verdictIcon, verdictKey, verdictLabel } from '../shared/verdicts';
import { hasInterval } from './answer';
import { basisText } from './basis';
import { intervalText } from './interval';
import { Matrix, concurrencyText } from './matrix';
import { CellView, Metric, metricTitle } from './metrics';
import { Measure, fitted, measureWith, wrapped } from '../shared/picture-text';

const TINTS: Record<string, [string, string]> = {
  faster: ['#d9f0df', '#0e6027'],
  slower: ['#ffe0e0', '#8e1018'],
  same: ['#dfe9fb', '#00359e'],
  open: ['#f0f0f0', '#525252'],
  none: ['#ffffff', '#343a40'],
};
const INK = '#161616';
const MUTED = '#525252';
const TITLE = '600 18px sans-serif';
const HEADING = '600 13px sans-serif';
const SMALL = '12px sans-serif';
const RATIO = '600 17px sans-serif';
const VERDICT = '600 12px sans-serif';
const VALUES = '11px sans-serif';
const MARGIN = 16;
const HEAD = 200; // pixels of the names of lines, at least
const WIDTH = 240; // of a cell, at least
const INSET = 12;
const ASIDE = 78; // of the interval, from the ratio
const LINE = 15; // of a verdict
const REST = 69; // of the height of a cell, beside its verdict
const TOP = 96;

type Write = (value: string, x: number, y: number, font: string, color?: string) => void;

/** What is written in a cell; its verdict is in as many lines as it takes. */
interface Drawn {
  key: string;
  ratio: string;
  interval: string;
  /** Where the interval begins, after the ratio. */
  after: number;
  verdict: string[];
  values: string;
}

/** Draw the matrix; it is as large as what it has to say. */
export function drawMatrix(
  comparison: Comparison,
  matrix: Matrix,
  metric: Metric,
  perOsd: boolean,
): Promise<Blob | null> {
  const scale = 2;
  const canvas = document.createElement('canvas');
  const ctx = canvas.getContext('2d');
  if (!ctx) {
    return Promise.resolve(null);
  }
  const measure = measureWith(ctx);
  const { baseline, candidate } = comparison;
  const title = `${candidate.label} ÷ ${baseline.label}: ${metricTitle(metric, perOsd)}`;
  const source = `${comparison.profiles.join(', ')}; ${comparison.runs.join(', ')}`;
  const emulated = [baseline, candidate].filter((side) => side.emulated).map((s) => s.label);
  const warning = emulated.length ? $localize`emulated: ${emulated.join(', ')}:groups:` : '';
  const basis = basisText(
    metric,
    matrix.lines.flatMap((line) => line.cells.flatMap((one) => (one ? [one.row] : []))),
  );
  const [lines, cell] = linesOf(matrix, metric, measure);
  const heads = lines.flatMap((line) => [measure(line.title, HEADING), measure(line.hint, SMALL)]);
  const head = Math.ceil(Math.max(HEAD, ...heads.map((one) => one + 2 * MARGIN)));
  const words = [
    measure(title, TITLE),
    ...[warning, basis].map((text) => measure(text, SMALL)),
  ].map((one) => one + 2 * MARGIN);
  const width = Math.ceil(Math.max(head + cell * matrix.columns.length + 24, ...words));
  const height = TOP + lines.reduce((sum, line) => sum + line.high, 0) + 40;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const write: Write = (value, x, y, font, color = INK) => {
    ctx.font = font;
    ctx.fillStyle = color;
    ctx.fillText(value, x, y);
  };
  ctx.scale(scale, scale);
  ctx.fillStyle = '#ffffff';
  ctx.fillRect(0, 0, width, height);
  write(title, MARGIN, 32, TITLE);
  const inside = width - 2 * MARGIN;
  write(
    fitted(source, inside, (text) => measure(text, SMALL)),
    MARGIN,
    54,
    SMALL,
    MUTED,
  );
  write(basis, MARGIN, 70, SMALL, MUTED);
  matrix.columns.forEach((name, at) =>
    write(concurrencyText(name), head + at * cell + 8, TOP - 10, HEADING),
  );
  let y = TOP;
  for (const line of lines) {
    write(line.title, MARGIN, y + 36, HEADING);
    write(line.hint, MARGIN, y + 54, SMALL, MUTED);
    line.cells.forEach((one, column) => {
      if (one) {
        drawCell(ctx, write, one, head + column * cell, y, cell, line.high);
      }
    });
    y += line.high;
  }
  write(warning, MARGIN, height - 14, SMALL, '#8a3800');
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** Return what is written, and how wide the cells are that hold it. */
function linesOf(matrix: Matrix, metric: Metric, measure: Measure) {
  const texts = matrix.lines.map((line) => ({
    ...line,
    cells: line.cells.map((view) => view && textOf(view, metric.speed, measure)),
  }));
  const needed = texts.flatMap(({ cells }) =>
    cells.flatMap((one) =>
      one ? [one.after + measure(one.interval, SMALL), measure(one.values, VALUES)] : [],
    ),
  );
  const width = Math.ceil(Math.max(WIDTH, ...needed.map((one) => one + 2 * INSET)));
  const inside = width - 2 * INSET;
  const lines = texts.map((line) => {
    const cells = line.cells.map(
      (one): Drawn | null =>
        one && { ...one, verdict: wrapped(one.label, inside, (text) => measure(text, VERDICT)) },
    );
    const most = Math.max(1, ...cells.map((one) => one?.verdict.length ?? 1));
    return { ...line, cells, high: REST + LINE * most };
  });
  return [lines, width] as const;
}

function textOf(view: CellView, speed: boolean, measure: Measure) {
  const { estimate } = view;
  const ratio = view.ratio === null ? '–' : `×${formatRatio(view.ratio)}`;
  const verdict = estimate?.verdict ?? null;
  const label = estimate ? `${verdictIcon(verdict)} ${verdictLabel(estimate, speed)}` : '';
  return {
    key: verdictKey(verdict),
    ratio,
    interval: hasInterval(view) ? intervalText(view, estimate) : '',
    after: Math.max(ASIDE, measure(ratio, RATIO) + 8),
    // a bound stays in one piece
    label: label.replace('< ', '<\u00a0').replace(' %', '\u00a0%'),
    values: `${view.baseline} → ${view.candidate}`,
  };
}

function drawCell(
  ctx: CanvasRenderingContext2D,
  write: Write,
  cell: Drawn,
  x: number,
  y: number,
  width: number,
  high: number,
): void {
  const [back, ink] = TINTS[cell.key];
  const left = x + INSET;
  ctx.save();
  ctx.beginPath();
  ctx.rect(x + 2, y + 2, width - 6, high - 6);
  ctx.clip();
  ctx.fillStyle = back;
  ctx.fillRect(x + 2, y + 2, width - 6, high - 6);
  write(cell.ratio, left, y + 28, RATIO, ink);
  write(cell.interval, left + cell.after, y + 28, SMALL, ink);
  cell.verdict.forEach((line, at) => write(line, left, y + 49 + at * LINE, VERDICT, ink));
  write(cell.values, left, y + high - 16, VALUES, MUTED);
  ctx.restore();
}
