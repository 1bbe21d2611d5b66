import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { fixed } from '../core/locale';
import { formatRatio } from '../core/units';
import { Comparison, OrderEffect } from '../models/comparison';
import { missingLines } from './missing';
import { familiesOf } from './families';
import { Metric, ratioNote } from './metrics';
import { SideCard } from './side-card';
import { ScrollHint } from '../shared/scroll-hint';

/** Show what a reader must know beside the rows: confounders, order, gaps. */
@Component({
  selector: 'pc-compare-notes',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [ScrollHint, SideCard],
  templateUrl: './compare-notes.html',
})
export class CompareNotes {
  readonly comparison = input.required<Comparison>();
  readonly metric = input.required<Pick<Metric, 'key'>>();
  readonly perOsd = input(false);
  /** How many rows are judged together by what is shown; none where it has no verdict. */
  protected readonly families = computed(() =>
    familiesOf(this.comparison(), this.metric(), this.perOsd()),
  );
  protected readonly missing = computed(() => missingLines(this.comparison()));
  protected readonly ratio = computed(() => ratioNote(this.comparison()));
  /** What the trials recorded of themselves: without it nothing can agree. */
  protected readonly recorded = computed(() => {
    const { baseline, candidate } = this.comparison();
    return [baseline, candidate].every((side) => side.arch.length || side.cpu.length);
  });

  protected readonly trials = computed(() => {
    const found = this.comparison();
    const lines = found.void_trials.map(
      (item) =>
        $localize`void trials of ${item.group}:group:: ${item.count}:count:: ${item.reason}`,
    );
    if (found.repeated_blocks) {
      lines.push($localize`blocks that were repeated: ${found.repeated_blocks}`);
    }
    return [...lines, ...found.incomplete_blocks.map((text) => $localize`left out: ${text}`)];
  });

  protected readonly order = computed(() => {
    const effect = this.comparison().order;
    return effect ? this.orderText(effect) : null;
  });

  private orderText(effect: OrderEffect): string {
    const { baseline, candidate } = this.comparison();
    const times = (ratio: number | null) => (ratio === null ? '' : ` (×${formatRatio(ratio)})`);
    const parts = [
      $localize`blocks in which ${baseline.label} was first: ${effect.baseline_first}` +
        times(effect.ratio_baseline_first),
      $localize`blocks in which ${candidate.label} was first: ${effect.candidate_first}` +
        times(effect.ratio_candidate_first),
    ];
    if (effect.second_place !== null) {
      const percent = 100 * (effect.second_place - 1);
      const text = `${percent >= 0 ? '+' : ''}${fixed(percent, 1)}`;
      parts.push($localize`being second changes a rate by ${text} %`);
    }
    return parts.join('; ');
  }
}
