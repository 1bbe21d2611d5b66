import {
  ChangeDetectionStrategy,
  Component,
  DestroyRef,
  ElementRef,
  computed,
  effect,
  inject,
  input,
  signal,
  viewChild,
} from '@angular/core';
import { Chart, ChartConfiguration } from 'chart.js';
import { Cell, download, toCsv } from '../core/download';
import { pngOf } from './chart-setup';

/** The same data as a chart, as cells. */
export interface TableTwin {
  header: string[];
  rows: Cell[][];
}

const SHOWN = 200;

/** Show a chart with its table twin, PNG and CSV. */
@Component({
  selector: 'pc-chart-card',
  changeDetection: ChangeDetectionStrategy.OnPush,
  templateUrl: './chart-card.html',
})
export class ChartCard {
  readonly title = input.required<string>();
  /** Says in a sentence what the chart shows. */
  readonly summary = input('');
  readonly config = input.required<ChartConfiguration>();
  readonly table = input.required<TableTwin>();
  readonly file = input('chart');
  readonly height = input(240);

  protected readonly open = signal(false);
  protected readonly rows = computed(() => this.table().rows.slice(0, SHOWN));
  protected readonly hidden = computed(() => Math.max(0, this.table().rows.length - SHOWN));
  private readonly canvas = viewChild<ElementRef<HTMLCanvasElement>>('canvas');
  private chart: Chart | null = null;

  constructor() {
    effect(() => {
      const config = this.config();
      const canvas = this.canvas()?.nativeElement;
      this.chart?.destroy();
      this.chart = canvas?.getContext('2d') ? new Chart(canvas, config) : null;
    });
    inject(DestroyRef).onDestroy(() => this.chart?.destroy());
  }

  protected toggled(event: Event): void {
    this.open.set((event.target as HTMLDetailsElement).open);
  }

  protected saveCsv(): void {
    const { header, rows } = this.table();
    download(`${this.file()}.csv`, toCsv([header, ...rows]), 'text/csv');
  }

  protected async savePng(): Promise<void> {
    const canvas = this.canvas()?.nativeElement;
    const blob = canvas ? await pngOf(canvas, this.title()) : null;
    if (blob) {
      download(`${this.file()}.png`, blob);
    }
  }
}
