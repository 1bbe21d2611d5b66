import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { Row } from '../models/comparison';
import { Heads } from '../shared/heads';
import { operationLines } from './operation-figures';
import { ScrollHint } from '../shared/scroll-hint';
import { Side } from '../shared/side';

/** Show operations and endpoints of a row, where there are any. */
@Component({
  selector: 'pc-operations-panel',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Heads, ScrollHint, Side],
  templateUrl: './operations-panel.html',
})
export class OperationsPanel {
  readonly row = input.required<Row>();

  private readonly found = computed(() => operationLines(this.row()));
  protected readonly percentiles = computed(() => this.found()[0].join('|'));
  protected readonly lines = computed(() => this.found()[1]);
}
