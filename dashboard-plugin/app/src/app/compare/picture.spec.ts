import { comparison } from '../../testing/fixtures';
import { forestSvg } from './forest-picture';
import { makeMatrix } from './matrix';
import { drawMatrix } from './matrix-picture';
import { Metric, metricsOf } from './metrics';
import { fitted, wrapped } from '../shared/picture-text';

const PLAIN = { perOsd: false, order: 'size' as const };
const LONG = 'client, uneven clients, placement, not steady, drift not excluded, dependent trials';

/** A canvas on which each character is as wide. */
function drawing(char = 7) {
  const texts: { text: string; x: number; y: number; clipped: boolean }[] = [];
  let clipped = false;
  const noop = () => undefined;
  const ctx = {
    measureText: (text: string) => ({ width: char * text.length }),
    fillText: (text: string, x: number, y: number) => texts.push({ text, x, y, clipped }),
    save: noop,
    beginPath: noop,
    rect: noop,
    scale: noop,
    fillRect: noop,
    clip: () => (clipped = true),
    restore: () => (clipped = false),
  };
  const canvas = HTMLCanvasElement.prototype;
  vi.spyOn(canvas, 'getContext').mockReturnValue(ctx as never);
  let width = 0;
  vi.spyOn(canvas, 'toBlob').mockImplementation(function (this: HTMLCanvasElement, done) {
    width = this.width / 2;
    done(null);
  });
  return { texts, width: () => width };
}

function shown() {
  const found = comparison();
  const [row] = found.rows;
  Object.assign(row.estimate, { verdict: 'inconclusive', reason: LONG, kind: 'range' });
  return found;
}

describe('pictures', () => {
  afterEach(() => vi.restoreAllMocks());

  it('have text in as many lines as it takes, and lose no word of it', () => {
    const width = (text: string) => text.length;
    expect(wrapped('one two three', 7, width)).toEqual(['one two', 'three']);
    expect(wrapped('噪声过大噪声', 4, width)).toEqual(['噪声过大', '噪声']);
    expect(wrapped('', 4, width)).toEqual(['']);
    expect(fitted('one two three', 8, width)).toBe('one two…');
    expect(fitted('one', 8, width)).toBe('one');
  });

  it('of the matrix have whole verdicts, each within its cell', async () => {
    const { texts } = drawing();
    const found = shown();
    const [metric] = metricsOf(found);
    await drawMatrix(found, makeMatrix(found, metric, false), metric, false);
    const inCells = texts.filter(({ clipped }) => clipped);
    const all = inCells.map(({ text }) => text).join(' ');
    expect(all).toContain(`○ inconclusive (${LONG})`);
    expect(all).toMatch(/\[[^\]]*\] range/);
    const [first, second] = texts.filter(({ y }) => y === 86).map(({ x }) => x - 8);
    for (const { text, x } of inCells) {
      expect(x + 7 * text.length, text).toBeLessThan(x < second ? second : 2 * second - first);
    }
    expect(new Set(inCells.map(({ x, y }) => `${x} ${y}`)).size).toBe(inCells.length);
  });

  it('of the matrix have room for names and titles', async () => {
    const { texts, width } = drawing(10);
    const found = shown();
    found.rows = [
      { ...found.rows[0], op: 'other', workload: 'a-name-that-is-longer-than-the-others' },
    ];
    found.candidate.label = 'a-group-with-a-long-name @ 0a1b2c3d';
    const [metric] = metricsOf(found);
    await drawMatrix(found, makeMatrix(found, metric, false), metric, false);
    const name = texts.find(({ text }) => text === found.rows[0].workload);
    const first = Math.min(...texts.filter(({ clipped }) => clipped).map(({ x }) => x));
    expect(first).toBeGreaterThan(16 + 10 * (name?.text.length ?? 0));
    expect(width()).toBeGreaterThan(10 * texts[0].text.length);
  });

  it('say where the figures of a further metric come from, of the rows that they show', async () => {
    const { texts } = drawing();
    const found = comparison();
    const [row] = found.rows;
    const [one] = row.metrics;
    row.metrics = [{ ...one, id: 'ops-per-watt', basis: 'measured', source: 'rapl' }];
    found.rows = [row];
    const metric = metricsOf(found).find(({ key }) => key === 'ops-per-watt') as Metric;
    const svg = forestSvg({ comparison: found, rows: [row], metric, ...PLAIN });
    expect(svg).toContain('Measured during the trials. (rapl)');
    await drawMatrix(found, makeMatrix(found, metric, false), metric, false);
    expect(texts.map(({ text }) => text)).toContain('Measured during the trials. (rapl)');
  });

  it('of the plot have columns that are as wide as what is in them', () => {
    drawing();
    const found = shown();
    found.rows[0].workload = 'a-name-that-is-longer-than-thirty-characters';
    const [metric] = metricsOf(found);
    const svg = forestSvg({
      comparison: found,
      rows: found.rows,
      metric,
      perOsd: false,
      order: 'size',
    });
    const words = [
      ...new DOMParser().parseFromString(svg, 'image/svg+xml').querySelectorAll('text'),
    ];
    const placed = (text: string) => {
      const word = words.find((one) => one.textContent === text) as Element;
      expect(word, text).toBeTruthy();
      return Number(word.getAttribute('x'));
    };
    const verdict = `○ inconclusive (${LONG})`;
    expect(placed('x86 → arm')).toBeGreaterThan(placed(verdict) + 7 * verdict.length);
    const [ratio] = words.filter((one) => one.textContent === '×0.575');
    const end = Number(ratio.getAttribute('x')) - 7 * '×0.575'.length;
    expect(end).toBeGreaterThan(16 + 7 * found.rows[0].workload.length);
    expect(words.some((one) => /\] range$/.test(one.textContent ?? ''))).toBe(true);
  });
});
