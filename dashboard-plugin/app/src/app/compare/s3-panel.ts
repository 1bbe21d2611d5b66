import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { Row } from '../models/comparison';
import { Heads } from '../shared/heads';
import { s3Lines } from './s3-figures';

/** Show operations and endpoints of a row, where there are any. */
@Component({
  selector: 'pc-s3-panel',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Heads],
  templateUrl: './s3-panel.html',
})
export class S3Panel {
  readonly row = input.required<Row>();

  private readonly found = computed(() => s3Lines(this.row()));
  protected readonly percentiles = computed(() => this.found()[0].join('|'));
  protected readonly lines = computed(() => this.found()[1]);
}
