/** The forest plot as a picture of its own, for slides, mails and papers. */

import { formatRatio } from '../core/units';
import { Comparison, Row } from '../models/comparison';
import { verdictWord } from '../shared/verdicts';
import { answerOf } from './answer';
import { Order } from './filters';
import { BAND, ForestLine, SHAPES, Scale, endsOf, makeForest, tickText } from './forest';
import { Metric, metricTitle, ratioNote } from './metrics';

const INK = '#161616';
const MUTED = '#525252';
const COLORS: Record<string, [string, string]> = {
  faster: ['#198038', '#0e6027'],
  slower: ['#ba1b23', '#8e1018'],
  same: ['#0f62fe', '#00359e'],
  open: ['#6f6f6f', '#525252'],
  none: ['#6f6f6f', '#343a40'],
};
const WIDTH = 1400;
const LEFT = 16;
const LINE = 24;
const TOP = 112;
/** Where the columns begin; the plot lies between the last two of each side. */
const RATIO = 250;
const INTERVAL = 258;
const PLOT = 360;
const PLOT_END = 720;
const VERDICT = 740;
const VALUES = 968;
const LIMIT = 1168;

export interface Picture {
  comparison: Comparison;
  rows: readonly Row[];
  metric: Metric;
  perOsd: boolean;
  order: Order;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

interface Look {
  size?: number;
  bold?: boolean;
  color?: string;
  anchor?: 'start' | 'middle' | 'end';
}

function words(x: number, y: number, text: string, look: Look = {}): string {
  const { size = 12, bold, color = INK, anchor = 'start' } = look;
  return (
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${size}" fill="${color}"` +
    `${bold ? ' font-weight="600"' : ''} text-anchor="${anchor}">${escaped(text)}</text>`
  );
}

function line(x1: number, y1: number, x2: number, y2: number, style: string): string {
  const [a, b, c, d] = [x1, y1, x2, y2].map((value) => value.toFixed(1));
  return `<line x1="${a}" y1="${b}" x2="${c}" y2="${d}" ${style}/>`;
}

/** Return the picture as SVG, complete and without anything from elsewhere. */
export function forestSvg({ comparison, rows, metric, perOsd, order }: Picture): string {
  const forest = makeForest(rows, metric, perOsd, order, comparison.rows);
  const heads = forest.groups.filter(({ title }) => title).length;
  const bottom = TOP + LINE * (rows.length + heads);
  const height = bottom + 62;
  const at = (share: number) => PLOT + share * (PLOT_END - PLOT);
  const { baseline, candidate } = comparison;
  const [left, right] = endsOf(comparison, metric);
  const parts = [
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    words(LEFT, 32, `${candidate.label} ÷ ${baseline.label}: ${metricTitle(metric, perOsd)}`, {
      size: 18,
      bold: true,
    }),
    words(LEFT, 54, headline({ comparison, rows, metric, perOsd, order }), { size: 13 }),
    words(LEFT, 72, [comparison.profiles.join(', '), comparison.runs.join(', ')].join('; '), {
      color: MUTED,
    }),
    ...axis(forest.scale, at, bottom),
    words(PLOT, TOP - 24, `← ${cut(left, 28)}`, { size: 11, color: MUTED }),
    words(PLOT_END, TOP - 24, `${cut(right, 28)} →`, { size: 11, color: MUTED, anchor: 'end' }),
    words(LEFT, TOP - 8, $localize`Workload`, { bold: true }),
    words(RATIO, TOP - 8, $localize`Ratio`, { bold: true, anchor: 'end' }),
    words(VERDICT, TOP - 8, $localize`Verdict`, { bold: true }),
    words(VALUES, TOP - 8, cut(`${baseline.label} → ${candidate.label}`, 28), { bold: true }),
    words(LIMIT, TOP - 8, $localize`Limited by`, { bold: true }),
  ];
  let y = TOP;
  for (const group of forest.groups) {
    if (group.title) {
      parts.push(words(LEFT, y + 17, group.title, { bold: true, color: MUTED }));
      y += LINE;
    }
    for (const one of group.lines) {
      parts.push(...drawLine(one, y, at));
      y += LINE;
    }
  }
  const emulated = [baseline, candidate].filter((side) => side.emulated).map((s) => s.label);
  if (emulated.length) {
    const text = $localize`emulated: ${emulated.join(', ')}:groups:`;
    parts.push(words(LEFT, bottom + 26, text, { color: '#8a3800', bold: true }));
  }
  parts.push(words(LEFT, bottom + 46, ratioNote(comparison), { color: MUTED, size: 11 }));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}"` +
    ` viewBox="0 0 ${WIDTH} ${height}" font-family="'IBM Plex Sans', sans-serif">` +
    `<title>${escaped(`${candidate.label} ÷ ${baseline.label}`)}</title>${parts.join('')}</svg>\n`
  );
}

/** Return counts and size in one line, as the page has them on top. */
function headline({ comparison, metric, perOsd }: Picture): string {
  const { counts, size } = answerOf(comparison, metric, perOsd);
  const parts = (['slower', 'faster', 'no difference shown', 'inconclusive'] as const)
    .filter((verdict) => counts[verdict])
    .map((verdict) => `${counts[verdict]} ${verdictWord(verdict, metric.speed)}`);
  if (size) {
    const [mean, low, high] = [size.mean, size.low, size.high].map(formatRatio);
    parts.push(
      counts.faster + counts.slower > 1
        ? $localize`geometric mean of the decided ×${mean}, from ×${low} to ×${high} (descriptive)`
        : $localize`×${mean} (descriptive)`,
    );
  }
  return parts.join(' · ');
}

function axis(scale: Scale, at: (share: number) => number, bottom: number): string[] {
  const from = at(scale.at(1 / BAND));
  const one = at(scale.at(1));
  const width = at(scale.at(BAND)) - from;
  return [
    `<rect x="${from.toFixed(1)}" y="${TOP}" width="${width.toFixed(1)}"` +
      ` height="${bottom - TOP}" fill="#eef3fb"/>`,
    ...scale.ticks.flatMap((ratio) => {
      const x = at(scale.at(ratio));
      return [
        line(x, TOP, x, bottom, 'stroke="#e0e0e0"'),
        words(x, TOP - 8, tickText(ratio), { anchor: 'middle', size: 11, color: MUTED }),
      ];
    }),
    line(one, TOP, one, bottom, `stroke="${INK}"`),
  ];
}

function drawLine(one: ForestLine, top: number, at: (share: number) => number): string[] {
  const y = top + LINE / 2;
  const base = y + 4;
  const [mark, ink] = COLORS[one.key];
  const parts = [
    words(LEFT, base, cut(one.row.workload, 30)),
    words(RATIO, base, one.ratio, { bold: true, anchor: 'end' }),
    words(INTERVAL, base, one.interval, { color: MUTED, size: 11 }),
    words(VERDICT, base, cut(`${one.icon} ${one.verdict}`, 33), { bold: true, color: ink }),
    words(VALUES, base, cut(`${one.view.baseline} → ${one.view.candidate}`, 32), { size: 11 }),
    words(LIMIT, base, cut(one.limited, 36), { size: 11 }),
  ];
  if (one.from !== null && one.to !== null) {
    const dash = one.kind === 'range' ? ' stroke-dasharray="3 3"' : '';
    parts.push(
      line(at(one.from), y, at(one.to), y, `stroke="${mark}" stroke-width="2"${dash}`),
      ...(one.cutLow ? [arrow(at(one.from), y, 5, mark)] : []),
      ...(one.cutHigh ? [arrow(at(one.to), y, -5, mark)] : []),
    );
  }
  if (one.at !== null) {
    const hollow = one.key === 'open' || one.key === 'none' || !one.kind;
    parts.push(
      `<path transform="translate(${at(one.at).toFixed(1)} ${y})" d="${SHAPES[one.key]}"` +
        ` fill="${hollow ? '#ffffff' : mark}" stroke="${mark}" stroke-width="1.5"/>`,
    );
  }
  return parts;
}

function arrow(x: number, y: number, back: number, color: string): string {
  return (
    `<path transform="translate(${x.toFixed(1)} ${y})" d="M${back},-4 L0,0 L${back},4"` +
    ` fill="none" stroke="${color}" stroke-width="2"/>`
  );
}

/** Return an SVG as a PNG, twice as fine as on the screen. */
export async function pngOfSvg(svg: string, scale = 2): Promise<Blob | null> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * scale;
  canvas.height = image.height * scale;
  const ctx = canvas.getContext('2d');
  ctx?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
