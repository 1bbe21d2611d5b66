/** The columns of the plot's picture: as wide as what they say, in any language. */

import { ForestLine } from './forest';
import { intervalText } from './interval';
import { Measure } from '../shared/picture-text';

export const FAMILY = "'IBM Plex Sans', sans-serif";
export const LEFT = 16;
export const PLOT = 360; // of the plot's width
const GAP = 12; // between columns
/** How much wider a text may be where the picture is shown, with another font. */
const SPARE = 1.05;

export interface Look {
  size?: number;
  bold?: boolean;
  color?: string;
  anchor?: 'start' | 'middle' | 'end';
}

export const SMALL: Look = { size: 11 };

/** Where the columns begin; ratios end there. */
export interface Columns {
  ratio: number;
  interval: number;
  plot: number;
  plotEnd: number;
  verdict: number;
  values: number;
  limit: number;
  end: number;
}

/** Return how wide the widest of texts is that look alike. */
export function widest(
  measure: Measure,
  texts: readonly string[],
  { size = 12, bold }: Look,
): number {
  const font = `${bold ? '600 ' : ''}${size}px ${FAMILY}`;
  return SPARE * Math.max(0, ...texts.map((text) => measure(text, font)));
}

/** Return columns that hold all that lines say; `sides` stands above the medians. */
export function columnsOf(measure: Measure, lines: readonly ForestLine[], sides: string): Columns {
  const wide = (text: (line: ForestLine) => string, look: Look) =>
    widest(measure, lines.map(text), look);
  const names = wide(({ row }) => row.workload, {});
  const ratios = wide((line) => line.ratio, { bold: true });
  const ratio = Math.max(250, LEFT + names + GAP + ratios);
  const interval = ratio + 8;
  const plot = interval + Math.max(102, wide(rangeText, SMALL) + GAP);
  const plotEnd = plot + PLOT;
  const verdict = plotEnd + 20;
  const values = verdict + Math.max(228, wide(verdictText, { bold: true }) + GAP);
  const medians = Math.max(widest(measure, [sides], { bold: true }), wide(valuesText, SMALL));
  const limit = values + Math.max(200, medians + GAP);
  const limits = wide((line) => line.limited, SMALL);
  return {
    ratio,
    interval,
    plot,
    plotEnd,
    verdict,
    values,
    limit,
    end: limit + Math.max(216, limits),
  };
}

export function verdictText({ icon, verdict }: ForestLine): string {
  return `${icon} ${verdict}`;
}

export function valuesText({ view }: ForestLine): string {
  return `${view.baseline} → ${view.candidate}`;
}

/** Return the interval of a line; a range says that it is one. */
export function rangeText({ view, kind, interval }: ForestLine): string {
  return kind ? intervalText(view, view.estimate) : interval;
}
