/**
 * What a chart draws and how: data only, so that pages can say what they draw
 * before the code that draws it is there. Legend and tooltip are HTML of the
 * chart's card: smaller, and read by every reader.
 */

import type { ChartConfiguration, ChartOptions, Plugin } from 'chart.js';
import { measureWith, wrapped } from './picture-text';

/** Colors that differ in brightness too, for every kind of vision. */
export const BASELINE = '#0072c3';
export const CANDIDATE = '#8a3800';
export const INK = '#393939';
/** Those of groups, in the order of a run. */
export const COLORS = [BASELINE, CANDIDATE, '#6929c4', '#005d5d'] as const;

/** The line of a side, or of a group: dashes tell it where colors do not. */
export function lineOf(index: number) {
  const color = COLORS[index % COLORS.length];
  return {
    borderColor: color,
    backgroundColor: color,
    borderWidth: 2,
    borderDash: index % 2 ? [6, 3] : [],
  };
}
const GRID = '#e0e0e0';

export interface Mark {
  /** Where on the x axis, and from where to where on the y axis. */
  x: number;
  x2?: number;
  y: number;
  y2: number;
  color: string;
  width?: number;
  dash?: number[];
  fill?: boolean;
}

/** Draw lines and bands behind the data, given in data coordinates. */
export function marks(items: readonly Mark[]): Plugin {
  return {
    id: 'marks',
    beforeDatasetsDraw(chart) {
      const { ctx, scales } = chart;
      for (const mark of items) {
        const left = scales['x'].getPixelForValue(mark.x);
        const right = scales['x'].getPixelForValue(mark.x2 ?? mark.x);
        const top = scales['y'].getPixelForValue(mark.y2);
        const bottom = scales['y'].getPixelForValue(mark.y);
        ctx.save();
        if (mark.fill) {
          ctx.fillStyle = mark.color;
          ctx.fillRect(left, top, right - left, bottom - top);
        } else {
          ctx.strokeStyle = mark.color;
          ctx.lineWidth = mark.width ?? 2;
          ctx.setLineDash(mark.dash ?? []);
          ctx.beginPath();
          ctx.moveTo(left, bottom);
          ctx.lineTo(right, top);
          ctx.stroke();
        }
        ctx.restore();
      }
    },
  };
}

interface Axes {
  x?: string;
  y?: string;
  tickX?: (value: number) => string;
  tickY?: (value: number) => string;
  minX?: number;
  maxX?: number;
  minY?: number;
  maxY?: number;
  zeroY?: boolean;
  zeroX?: boolean;
  logY?: boolean;
  stepX?: number;
  stepY?: number;
  tooltip?: Tip;
}

/** Say what is at a point of the data. */
export type Tip = (at: { dataset: number; index: number; x: number; y: number }) => string;

export type PlotOptions = ChartOptions<'line'> & { tip?: Tip };
/** What a card draws: lines and marks over two axes. */
export type Plot = ChartConfiguration<'line'> & { options: PlotOptions };

/** An entry of the legend: a data set that has a name. */
export interface Key {
  label: string;
  color: string;
  mark: string;
}

const MARKS: Record<string, string> = { circle: '●', triangle: '▲', rectRot: '◇' };
const [LINE, DASHES] = ['━', '┅'];

/** Return what the legend of a chart has to say. */
export function keysOf(plot: Plot): Key[] {
  return plot.data.datasets.flatMap((set) =>
    set.label
      ? [
          {
            label: set.label,
            color: String(set.borderColor),
            // where points have marks of their own, that of the first
            mark: (set.borderDash as number[] | undefined)?.length
              ? DASHES
              : (MARKS[String([set.pointStyle].flat()[0])] ?? LINE),
          },
        ]
      : [],
  );
}

/** Return options of a chart with two axes; nothing moves. */
export function options(axes: Axes): PlotOptions {
  const axis = (
    title: string | undefined,
    tick: ((value: number) => string) | undefined,
    min: number | undefined,
    max: number | undefined,
    zero: boolean | undefined,
    step?: number,
    log?: boolean,
  ) => ({
    type: log ? ('logarithmic' as const) : ('linear' as const),
    min,
    max,
    beginAtZero: zero ?? false,
    grid: { color: GRID, tickColor: GRID },
    border: { color: '#8d8d8d' },
    title: { display: !!title, text: title ?? '', color: INK, font: { size: 12 } },
    ticks: {
      color: INK,
      maxTicksLimit: step ? 50 : 8,
      autoSkip: !step,
      font: { size: 12 },
      ...(step ? { stepSize: step } : {}),
      ...(tick ? { callback: (value: string | number) => tick(Number(value)) } : {}),
    },
  });
  return {
    animation: false,
    maintainAspectRatio: false,
    normalized: true,
    interaction: { mode: 'nearest', intersect: false, axis: 'xy' },
    scales: {
      x: axis(axes.x, axes.tickX, axes.minX, axes.maxX, axes.zeroX, axes.stepX),
      y: axis(axes.y, axes.tickY, axes.minY, axes.maxY, axes.zeroY, axes.stepY, axes.logY),
    },
    tip: axes.tooltip,
  };
}

/** A text of a picture. */
export interface Words {
  text: string;
  color: string;
  bold?: boolean;
}

/** Return a canvas as a PNG on white, under its title, its legend and notes, each of its own lines. */
export function pngOf(
  canvas: HTMLCanvasElement,
  title: string,
  keys: readonly Key[],
  notes: readonly Words[] = [],
): Promise<Blob | null> {
  const scale = Math.max(1, canvas.width / Math.max(1, canvas.clientWidth));
  const legend = keys.map(({ mark, label, color }) => ({ text: `${mark} ${label}`, color }));
  const copy = document.createElement('canvas');
  const ctx = copy.getContext('2d');
  if (!ctx) {
    return Promise.resolve(null);
  }
  const fontOf = ({ bold }: Words) => `${bold ? '600 ' : ''}${12 * scale}px sans-serif`;
  const measure = measureWith(ctx);
  const most = canvas.width - 16 * scale;
  const told = notes.flatMap((note) =>
    wrapped(note.text, most, (text) => measure(text, fontOf(note))).map((text) => [
      { ...note, text },
    ]),
  );
  const lines: (readonly Words[])[] = [legend, ...told].filter(({ length }) => length);
  const head = (36 + 20 * lines.length) * scale;
  copy.width = canvas.width;
  copy.height = canvas.height + head;
  ctx.fillStyle = '#ffffff';
  ctx.fillRect(0, 0, copy.width, copy.height);
  ctx.fillStyle = INK;
  ctx.font = `600 ${15 * scale}px sans-serif`;
  ctx.fillText(title, 8 * scale, 23 * scale);
  lines.forEach((line, at) => {
    let x = 8 * scale;
    for (const words of line) {
      const width = measure(words.text, fontOf(words));
      ctx.fillStyle = words.color;
      ctx.fillText(words.text, x, (44 + 20 * at) * scale);
      x += width + 20 * scale;
    }
  });
  ctx.drawImage(canvas, 0, head);
  return new Promise((resolve) => copy.toBlob(resolve, 'image/png'));
}
