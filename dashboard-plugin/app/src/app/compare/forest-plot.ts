import {
  ChangeDetectionStrategy,
  Component,
  ElementRef,
  computed,
  inject,
  input,
  signal,
} from '@angular/core';
import { Router } from '../core/router';
import { Comparison, Row } from '../models/comparison';
import { Link } from '../shared/link';
import { rowPath } from './addresses';
import { Order } from './filters';
import { BAND, ForestLine, SHAPES, endsOf, makeForest, tickText } from './forest';
import { Limits } from './limits';
import { Metric, metricTitle, ratioNote } from './metrics';

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Show each row's ratio and interval on one axis, as a table that is drawn. */
@Component({
  selector: 'pc-forest',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Limits, Link],
  host: { '(click)': 'open($event)', '(keydown)': 'step($event)' },
  templateUrl: './forest-plot.html',
})
export class ForestPlot {
  private readonly router = inject(Router);
  private readonly element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly comparison = input.required<Comparison>();
  /** The rows that are shown, in their order. */
  readonly rows = input.required<Row[]>();
  readonly metric = input.required<Metric>();
  readonly perOsd = input(false);
  readonly order = input<Order>('size');

  protected readonly forest = computed(() =>
    makeForest(this.rows(), this.metric(), this.perOsd(), this.order(), this.comparison().rows),
  );
  protected readonly ticks = computed(() => {
    const { scale } = this.forest();
    return scale.ticks.map((ratio) => ({ ratio, x: at(scale.at(ratio)), text: tickText(ratio) }));
  });
  protected readonly band = computed(() => {
    const { scale } = this.forest();
    const from = scale.at(1 / BAND);
    return { x: at(from), width: at(scale.at(BAND) - from), one: at(scale.at(1)) };
  });
  protected readonly limited = computed(() =>
    this.forest().groups.some(({ lines }) => lines.some((line) => line.limited)),
  );
  protected readonly title = computed(() => metricTitle(this.metric(), this.perOsd()));
  protected readonly ends = computed(() => endsOf(this.comparison(), this.metric()));
  protected readonly note = computed(() => ratioNote(this.comparison()));
  protected readonly shapes = SHAPES;
  protected readonly x = at;
  /** Says a line to who points at it, and the basis: it comes after the plot. */
  private readonly tell = signal<typeof import('./unclear') | null>(null);
  protected readonly basis = computed(() => this.tell()?.basisText(this.metric(), this.rows()));

  constructor() {
    void import('./unclear').then(
      (found) => this.tell.set(found),
      () => undefined,
    );
  }

  protected text(line: ForestLine): string | undefined {
    return this.tell()?.lineText(line, this.metric(), this.perOsd());
  }

  protected path(row: Row): string {
    return rowPath(this.router.query(), row.workload);
  }

  /** Open a row by a click anywhere on it; links do it by themselves. */
  protected open(event: MouseEvent): void {
    const target = event.target as Element;
    const link = target.closest('.f-line')?.querySelector<HTMLElement>('th a');
    if (link && !target.closest('a') && !getSelection()?.toString()) {
      link.click();
    }
  }

  /** Go from row to row by the arrow keys. */
  protected step(event: KeyboardEvent): void {
    const links = [...this.element.querySelectorAll<HTMLElement>('tbody th a')];
    const now = links.indexOf(event.target as HTMLElement);
    const next =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? links.length - 1
          : now + (STEPS[event.key] ?? NaN);
    if (now >= 0 && links[next]) {
      event.preventDefault();
      links[next].focus();
    }
  }
}

/** Return a share as a percentage, for SVG that is as wide as its place. */
function at(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}
