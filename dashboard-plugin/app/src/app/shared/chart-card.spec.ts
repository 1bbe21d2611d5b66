import { provideZonelessChangeDetection } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { button, settle } from '../../testing/stage';
import { Captioned, emulatedBy } from './caption';
import { ChartCard } from './chart-card';
import { Plot, lineOf } from './plot';

const config = {
  type: 'line',
  data: {
    datasets: [
      { label: 'x86', data: [], ...lineOf(0) },
      { label: 'arm', data: [], ...lineOf(1) },
    ],
  },
  options: {},
} as Plot;
const table = { header: ['Group', 'op/s'], rows: [['x86', 2], ['arm', 1]] }; // prettier-ignore

/** Opens a card, and returns what is written into pictures and files. */
async function card(of?: { source: string; emulated: string[] }, width = 600) {
  const written: { text: string; color: string; y: number }[] = [];
  const files: Blob[] = [];
  const ctx = {
    fillStyle: '',
    font: '',
    fillRect: () => undefined,
    drawImage: () => undefined,
    measureText: (text: string) => ({ width: text.length }),
    fillText: (text: string, _: number, y: number) =>
      written.push({ text, color: ctx.fillStyle, y }),
  };
  const picture = {
    width: 0,
    height: 0,
    getContext: () => ctx,
    toBlob: (done: (blob: Blob) => void) => done(new Blob(['png'])),
  };
  TestBed.configureTestingModule({ providers: [provideZonelessChangeDetection()] });
  TestBed.inject(Captioned).caption.set(of ?? null);
  const fixture = TestBed.createComponent(ChartCard);
  fixture.componentRef.setInput('title', 'Trials');
  fixture.componentRef.setInput('config', config);
  fixture.componentRef.setInput('table', table);
  await settle(fixture);
  Object.assign(URL, {
    createObjectURL: (file: Blob) => `blob:${files.push(file)}`,
    revokeObjectURL: () => undefined,
  });
  const make = document.createElement.bind(document);
  vi.spyOn(document, 'createElement').mockImplementation((name: string) =>
    name === 'canvas' ? (picture as unknown as HTMLCanvasElement) : make(name),
  );
  const root = fixture.nativeElement as HTMLElement;
  const canvas = root.querySelector('canvas');
  Object.assign(canvas ?? {}, { width, height: 100 });
  Object.defineProperty(canvas, 'clientWidth', { value: width });
  for (const kind of ['PNG', 'CSV']) {
    button(root, kind).click();
    await settle(fixture);
  }
  vi.restoreAllMocks();
  return { written, csv: await files.at(-1)?.text(), height: picture.height };
}

describe('ChartCard', () => {
  it('says in its files of which runs they are, and that a group is emulated', async () => {
    const { written, csv } = await card({ source: 'quick; 0a1b2c3d', emulated: ['arm'] });
    expect(written).toContainEqual(
      expect.objectContaining({ text: 'emulated: arm', color: '#8a3800' }),
    );
    expect(written.map(({ text }) => text)).toContain('quick; 0a1b2c3d');
    expect(csv?.split('\r\n')).toEqual([
      'Group,op/s,source,emulated_groups',
      'x86,2,quick; 0a1b2c3d,arm',
      'arm,1,quick; 0a1b2c3d,arm',
      '',
    ]);
  });

  it('loses nothing of what a picture is of, however narrow it is', async () => {
    const source = 'quick; 0a1b2c3d, 1b2c3d4e, 2c3d4e5f';
    const { written, height } = await card({ source, emulated: ['arm'] }, 30);
    // below title and legend; a character is a pixel wide
    const lines = written.slice(3);
    expect(lines.map(({ text }) => text)).toEqual([
      'emulated: arm',
      'quick;',
      '0a1b2c3d,',
      '1b2c3d4e,',
      '2c3d4e5f',
    ]);
    expect(new Set(lines.map(({ y }) => y)).size).toBe(5);
    expect(height).toBe(100 + 36 + 20 * 6);
  });

  it('says nothing of what it does not know', async () => {
    const { written, csv } = await card();
    expect(written.map(({ text }) => text)).toEqual(['Trials', '━ x86', '┅ arm']);
    expect(csv).toContain('Group,op/s\r\n');
  });

  it('knows emulated groups by the labels of plans', () => {
    const label = "group 'arm' is emulated: its figures are not those of such hardware";
    expect(emulatedBy([label, 'size 2, min_size 1'])).toEqual(['arm']);
  });
});
