import { ChangeDetectionStrategy, Component, computed, input, output } from '@angular/core';
import { formatLocal } from '../core/units';
import { Comparison } from '../models/comparison';
import { RunInfo } from '../models/run';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { Menu } from '../shared/menu';
import { Unloaded } from '../shared/unloaded';
import { CompareSides } from './compare-sides';
import { Selection } from './selection';

export type Export = 'csv' | 'json' | 'png' | 'svg' | 'print';

/** Say in one line what is compared, and let it be changed and exported. */
@Component({
  selector: 'pc-identity',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [CompareSides, Link, Loading, Menu, Unloaded],
  templateUrl: './compare-identity.html',
})
export class CompareIdentity {
  readonly comparison = input<Comparison>();
  readonly selection = input.required<Selection>();
  readonly runs = input.required<RunInfo[]>();
  readonly groups = input.required<string[]>();
  readonly across = input<readonly string[]>([]);
  /** The matrix has no picture but a PNG. */
  readonly matrix = input(false);
  readonly changed = output<Selection>();
  readonly acrossChanged = output<string[]>();
  readonly exported = output<Export>();

  protected readonly files = computed((): Export[] =>
    this.matrix() ? ['csv', 'json', 'png'] : ['csv', 'json', 'png', 'svg'],
  );
  protected readonly sides = computed(() => {
    const { baseline, candidate } = this.selection();
    const found = this.comparison();
    return [
      { kind: 'baseline', name: baseline.group, about: found?.baseline },
      { kind: 'candidate', name: candidate.group, about: found?.candidate },
    ];
  });
  /** The runs that are compared, and when the newest of them was made. */
  protected readonly shown = computed(() => {
    const ids = this.comparison()?.runs ?? [];
    const known = this.runs().filter((run) => ids.includes(run.id));
    const [newest] = known;
    return {
      ids,
      text: newest
        ? [newest.label, newest.profile, formatLocal(newest.started ?? newest.created)]
            .filter(Boolean)
            .join(' · ')
        : '',
    };
  });

  protected swap(): void {
    const { baseline, candidate, runs } = this.selection();
    this.changed.emit({ baseline: candidate, candidate: baseline, runs });
  }
}
