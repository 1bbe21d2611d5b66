/** Text in pictures, where nothing wraps by itself. */

/** Says how wide a text is in a font, in pixels. */
export type Measure = (text: string, font: string) => number;

const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60]/u;

/** Return what measures text as this browser draws it. */
export function measurer(): Measure {
  const ctx = document.createElement('canvas').getContext('2d');
  return ctx ? measureWith(ctx) : estimated;
}

export function measureWith(ctx: CanvasRenderingContext2D): Measure {
  return (text, font) => {
    ctx.font = font;
    return ctx.measureText(text).width;
  };
}

/** Estimate a width where there is nothing to draw with. */
function estimated(text: string, font: string): number {
  const size = Number(/(\d+)px/.exec(font)?.[1] ?? 12);
  return [...text].reduce((sum, one) => sum + size * (WIDE.test(one) ? 1 : 0.6), 0);
}

/** Return the lines of a text that is at most so wide; no character of it is lost. */
export function wrapped(text: string, most: number, width: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word;
    if (!line || width(longer) <= most) {
      line = longer;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].flatMap((one) => broken(one, most, width));
}

/** Return as much of a text as is at most so wide. */
export function fitted(text: string, most: number, width: (text: string) => number): string {
  if (width(text) <= most) {
    return text;
  }
  return `${wrapped(text, most - width('…'), width)[0]}…`;
}

/** Break a word, or a line without spaces, where it is too wide. */
function broken(text: string, most: number, width: (text: string) => number): string[] {
  const lines = [''];
  for (const one of text) {
    const longer = lines[lines.length - 1] + one;
    if (longer.length > one.length && width(longer) > most) {
      lines.push(one);
    } else {
      lines[lines.length - 1] = longer;
    }
  }
  return lines;
}
