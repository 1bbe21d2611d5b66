import {
  ChangeDetectionStrategy,
  Component,
  ElementRef,
  computed,
  effect,
  inject,
  input,
  signal,
  viewChild,
} from '@angular/core';
import type { Chart } from 'chart.js';
import { plain } from '../core/locale';
import { Cell, download, toCsv } from '../core/download';
import { Captioned, emulatedText } from './caption';
import { Plot, Words, keysOf, pngOf } from './plot';
import { ScrollHint } from './scroll-hint';

/** The same data as a chart, as cells. */
export interface TableTwin {
  header: string[];
  rows: Cell[][];
}

const SHOWN = 200;
/** As in the other pictures. */
const WARNING = '#8a3800';
const MUTED = '#525252';
/** Pixels of a chart that is as wide as A4 between margins. */
const PAPER = 660;

/** Says what is under the pointer, beside it. */
interface Hint {
  text: string;
  x: number;
  y: number;
  left: boolean;
}

/** Show a chart with its table twin, PNG and CSV. */
@Component({
  selector: 'pc-chart-card',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [ScrollHint],
  templateUrl: './chart-card.html',
})
export class ChartCard {
  readonly title = input.required<string>();
  /** Says in a sentence what the chart shows. */
  readonly summary = input('');
  readonly config = input.required<Plot>();
  readonly table = input.required<TableTwin>();
  readonly file = input('chart');
  readonly height = input(240);

  protected readonly open = signal(false);
  protected readonly rows = computed(() => this.table().rows.slice(0, SHOWN));
  protected readonly hidden = computed(() => Math.max(0, this.table().rows.length - SHOWN));
  protected readonly keys = computed(() => keysOf(this.config()));
  protected readonly hint = signal<Hint | null>(null);
  /** The code that draws could not be loaded. */
  protected readonly missing = signal(false);
  private readonly of = inject(Captioned);
  private readonly canvas = viewChild<ElementRef<HTMLCanvasElement>>('canvas');

  constructor() {
    effect((onCleanup) => {
      const config = this.config();
      const canvas = this.canvas()?.nativeElement;
      let chart: Chart | null = null;
      let gone = false;
      // a chart does not follow the width of paper by itself
      const print = () => chart?.resize(Math.min(PAPER, chart.width), this.height());
      const printed = () => chart?.resize();
      window.addEventListener('beforeprint', print);
      window.addEventListener('afterprint', printed);
      onCleanup(() => {
        gone = true;
        window.removeEventListener('beforeprint', print);
        window.removeEventListener('afterprint', printed);
        chart?.destroy();
      });
      this.hint.set(null);
      if (!canvas?.getContext('2d')) {
        return;
      }
      import('./chart-setup').then(
        (drawing) => {
          chart = gone ? null : new drawing.Chart(canvas, this.hinting(config));
        },
        () => this.missing.set(true),
      );
    });
  }

  /** Return a chart that tells us what the pointer is near. */
  private hinting(plot: Plot): Plot {
    const { tip } = plot.options;
    const onHover: Plot['options']['onHover'] = (_, [near], chart) => {
      const data = near && plot.data.datasets[near.datasetIndex].data[near.index];
      if (!tip || !data || typeof data === 'number') {
        this.hint.set(null);
        return;
      }
      const { datasetIndex: dataset, index, element } = near;
      this.hint.set({
        text: tip({ dataset, index, x: data.x ?? 0, y: data.y ?? 0 }),
        x: element.x,
        y: element.y,
        left: element.x > chart.width / 2,
      });
    };
    return { ...plot, options: { ...plot.options, onHover } };
  }

  protected shown(cell: Cell): Cell {
    return typeof cell === 'number' ? plain(cell) : cell;
  }

  protected toggled(event: Event): void {
    this.open.set((event.target as HTMLDetailsElement).open);
  }

  protected saveCsv(): void {
    const { header, rows } = this.table();
    const caption = this.of.caption();
    // in every line: a file is read without its page
    const own = caption ? [caption.source, caption.emulated.join(', ')] : [];
    const names = caption ? ['source', 'emulated_groups'] : [];
    const lines = rows.map((row) => [...row, ...own]);
    download(`${this.file()}.csv`, toCsv([[...header, ...names], ...lines]), 'text/csv');
  }

  protected async savePng(): Promise<void> {
    const canvas = this.canvas()?.nativeElement;
    const blob = canvas ? await pngOf(canvas, this.title(), this.keys(), this.notes()) : null;
    if (blob) {
      download(`${this.file()}.png`, blob);
    }
  }

  /** Return what a picture says of its figures. */
  private notes(): Words[] {
    const caption = this.of.caption();
    if (!caption) {
      return [];
    }
    const warning = emulatedText(caption.emulated);
    return [
      ...(warning ? [{ text: warning, color: WARNING, bold: true }] : []),
      { text: caption.source, color: MUTED },
    ];
  }
}
