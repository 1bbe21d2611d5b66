/** The forest plot as a picture of its own, for slides, mails and papers. */

import { formatRatio } from '../core/units';
import { Comparison, Row } from '../models/comparison';
import { verdictWord } from '../shared/verdicts';
import { answerOf } from './answer';
import { basisText } from './basis';
import { Order } from './filters';
import {
  Columns,
  FAMILY,
  LEFT,
  Look,
  PLOT,
  SMALL,
  columnsOf,
  rangeText,
  valuesText,
  verdictText,
  widest,
} from './forest-columns';
import { BAND, ForestLine, SHAPES, Scale, endsOf, makeForest, tickText } from './forest';
import { Metric, metricTitle, ratioNote } from './metrics';
import { fitted, measurer } from '../shared/picture-text';

const INK = '#161616';
const MUTED = '#525252';
const COLORS: Record<string, [string, string]> = {
  faster: ['#198038', '#0e6027'],
  slower: ['#ba1b23', '#8e1018'],
  same: ['#0f62fe', '#00359e'],
  open: ['#6f6f6f', '#525252'],
  none: ['#6f6f6f', '#343a40'],
};
const LINE = 24;
const TOP = 112;

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
export function forestSvg(picture: Picture): string {
  const { comparison, rows, metric, perOsd, order } = picture;
  const forest = makeForest(rows, metric, perOsd, order, comparison.rows);
  const heads = forest.groups.filter(({ title }) => title).length;
  const bottom = TOP + LINE * (rows.length + heads);
  const basis = basisText(metric, rows);
  const height = bottom + (basis ? 78 : 62);
  const { baseline, candidate } = comparison;
  const sides = `${baseline.label} → ${candidate.label}`;
  const measure = measurer();
  const columns = columnsOf(
    measure,
    forest.groups.flatMap(({ lines }) => lines),
    sides,
  );
  const at = (share: number) => columns.plot + share * PLOT;
  const [left, right] = endsOf(comparison, metric);
  const top: [string, number, Look][] = [
    [
      `${candidate.label} ÷ ${baseline.label}: ${metricTitle(metric, perOsd)}`,
      32,
      { size: 18, bold: true },
    ],
    [headline(picture), 54, { size: 13 }],
    [ratioNote(comparison), bottom + 46, { color: MUTED, size: 11 }],
    [basis, bottom + 62, { color: MUTED, size: 11 }],
  ];
  const emulated = [baseline, candidate].filter((side) => side.emulated).map((s) => s.label);
  if (emulated.length) {
    const text = $localize`emulated: ${emulated.join(', ')}:groups:`;
    top.push([text, bottom + 26, { color: '#8a3800', bold: true }]);
  }
  const width = Math.ceil(
    Math.max(columns.end, ...top.map(([text, , look]) => LEFT + widest(measure, [text], look))) +
      LEFT,
  );
  const source = [comparison.profiles.join(', '), comparison.runs.join(', ')].join('; ');
  const { plot, plotEnd } = columns;
  const parts = [
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...top.map(([text, y, look]) => words(LEFT, y, text, look)),
    words(
      LEFT,
      72,
      fitted(source, width - 2 * LEFT, (text) => widest(measure, [text], {})),
      { color: MUTED },
    ),
    ...axis(forest.scale, at, bottom),
    words(plot, TOP - 24, `← ${cut(left, 28)}`, { size: 11, color: MUTED }),
    words(plotEnd, TOP - 24, `${cut(right, 28)} →`, { size: 11, color: MUTED, anchor: 'end' }),
    words(LEFT, TOP - 8, $localize`Workload`, { bold: true }),
    words(columns.ratio, TOP - 8, $localize`Ratio`, { bold: true, anchor: 'end' }),
    words(columns.verdict, TOP - 8, $localize`Verdict`, { bold: true }),
    words(columns.values, TOP - 8, sides, { bold: true }),
    words(columns.limit, TOP - 8, $localize`Limited by`, { bold: true }),
  ];
  let y = TOP;
  for (const group of forest.groups) {
    if (group.title) {
      parts.push(words(LEFT, y + 17, group.title, { bold: true, color: MUTED }));
      y += LINE;
    }
    for (const one of group.lines) {
      parts.push(...drawLine(one, y, columns, at));
      y += LINE;
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"` +
    ` viewBox="0 0 ${width} ${height}" font-family="${FAMILY}">` +
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

function drawLine(
  one: ForestLine,
  top: number,
  columns: Columns,
  at: (share: number) => number,
): string[] {
  const y = top + LINE / 2;
  const base = y + 4;
  const [mark, ink] = COLORS[one.key];
  const parts = [
    words(LEFT, base, one.row.workload),
    words(columns.ratio, base, one.ratio, { bold: true, anchor: 'end' }),
    words(columns.interval, base, rangeText(one), { color: MUTED, size: 11 }),
    words(columns.verdict, base, verdictText(one), { bold: true, color: ink }),
    words(columns.values, base, valuesText(one), SMALL),
    words(columns.limit, base, one.limited, SMALL),
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
