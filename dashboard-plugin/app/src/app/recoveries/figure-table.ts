/** Tables of the CLI in the words and signs of comparisons. */

import { fixed, grouped, plain, separator } from '../core/locale';
import { NOT_AVAILABLE } from '../core/units';
import { Verdict } from '../models/comparison';
import { TextTable } from '../models/recovery';

export interface FigureCell {
  text: string;
  right: boolean;
  /** What it begins with, where that is a verdict; `text` is the rest. */
  verdict: Verdict | null;
}

export interface FigureTable {
  title: string;
  /** As `pcHeads` takes them. */
  heads: string;
  rows: FigureCell[][];
}

const NONE = '-';
const RATIO = 'RATIO';
const VERDICT = 'VERDICT';
const CLIENTS = 'CLIENTS';
const HEADS: Record<string, string> = {
  FIGURE: $localize`Figure`,
  PHASE: $localize`Phase`,
  GROUP: $localize`Group`,
  STEP: $localize`Step`,
  [VERDICT]: $localize`Verdict`,
  [CLIENTS]: $localize`Clients`,
  TOOK: $localize`Took`,
  RECOVERED: $localize`Recovered`,
  RATE: $localize`Rate`,
  'OBJECTS/S': $localize`Objects/s`,
  DEGRADED: $localize`Degraded`,
  MISPLACED: $localize`Misplaced`,
};
const TITLES: Record<string, string> = {
  Times: $localize`Times`,
  Clients: $localize`Clients`,
  Hosts: $localize`Hosts`,
  Phases: $localize`Phases`,
  'Every value': $localize`Every value`,
};
const VERDICTS: readonly Verdict[] = ['faster', 'slower', 'no difference shown', 'inconclusive'];

/** Return a table as the page shows it. */
export function figureTable({ title, header, rows, right }: TextTable): FigureTable {
  return {
    title: TITLES[title] ?? title,
    heads: header.map((_, at) => (right.includes(at) ? '>' : '<') + headOf(header, at)).join('|'),
    rows: rows.map((row) =>
      row.map((cell, at) => {
        const verdict =
          header[at] === VERDICT
            ? (VERDICTS.find((words) => cell.startsWith(words)) ?? null)
            : null;
        const figure = right.includes(at);
        return {
          text: verdict
            ? judgedText(cell.slice(verdict.length).trim())
            : textOf(cell, header[at], figure),
          right: figure,
          verdict,
        };
      }),
    ),
  };
}

/** Return a heading; that of a ratio says of what, which are the columns before it. */
function headOf(header: readonly string[], at: number): string {
  const name = header[at];
  return name === RATIO ? `${header[at - 1]} ÷ ${header[at - 2]}` : (HEADS[name] ?? name);
}

const WRITTEN = /\d{1,3}(?:,\d{3})+(?![\d.])|\d+\.(\d+)/g;

/** Return a text of the Manager with its numbers as the language writes them. */
function rewritten(text: string): string {
  return text.replace(WRITTEN, (number: string, decimals?: string) =>
    decimals === undefined
      ? grouped(Number(number.replaceAll(',', '')))
      : fixed(Number(number), decimals.length),
  );
}

/** Return what stands beside a verdict: an estimate, its interval, a bound. */
function judgedText(text: string): string {
  const apart = text.replace(/(\[[^,\]]+), /, `$1${separator()}`);
  return rewritten(apart);
}

function textOf(cell: string, head: string, figure: boolean): string {
  if (cell === NONE) {
    return NOT_AVAILABLE;
  }
  if (head === RATIO) {
    return `×${plain(Number(cell))}`;
  }
  return figure || head === CLIENTS ? rewritten(cell) : cell;
}
