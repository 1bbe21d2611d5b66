import { ChangeDetectionStrategy, Component, computed, input, output } from '@angular/core';
import { formatLocal } from '../core/units';
import { Comparison } from '../models/comparison';
import { RunInfo } from '../models/run';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { Menu } from '../shared/menu';
import { Unloaded } from '../shared/unloaded';
import { Selection, Side } from './selection';
import { SideSelect } from './side-select';

export type Export = 'csv' | 'json' | 'png' | 'svg' | 'print';

/** What can be meant to differ; others can be named in the address. */
const DIFFERENCES: readonly (readonly [string, string])[] = [
  ['release', $localize`release of Ceph`],
  ['media', $localize`media`],
  ['network', $localize`network`],
  ['compression', $localize`compression`],
  ['settings', $localize`settings of OSDs`],
];

/** Say in one line what is compared, and let it be changed and exported. */
@Component({
  selector: 'pc-identity',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Link, Loading, Menu, SideSelect, Unloaded],
  templateUrl: './compare-identity.html',
})
export class CompareIdentity {
  readonly comparison = input<Comparison>();
  readonly selection = input.required<Selection>();
  readonly runs = input.required<RunInfo[]>();
  readonly groups = input.required<string[]>();
  readonly across = input<readonly string[]>([]);
  readonly changed = output<Selection>();
  readonly acrossChanged = output<string[]>();
  readonly exported = output<Export>();

  protected readonly differences = DIFFERENCES;
  protected readonly kinds = ['baseline', 'candidate'] as const;
  protected readonly files = ['csv', 'json', 'png', 'svg'] as const;
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
  /** Runs that can be pooled: those that have both groups. */
  protected readonly poolable = computed(() => {
    const { baseline, candidate } = this.selection();
    return this.runs().filter(
      (run) =>
        run.trials > 0 &&
        run.groups.includes(baseline.group) &&
        run.groups.includes(candidate.group),
    );
  });
  protected readonly pooled = computed(() => this.comparison()?.runs ?? []);

  protected set(side: 'baseline' | 'candidate', value: Side): void {
    this.changed.emit({ ...this.selection(), [side]: value });
  }

  protected toggleAcross(name: string): void {
    const now = this.across();
    this.acrossChanged.emit(
      now.includes(name) ? now.filter((one) => one !== name) : [...now, name],
    );
  }

  protected swap(): void {
    const { baseline, candidate, runs } = this.selection();
    this.changed.emit({ baseline: candidate, candidate: baseline, runs });
  }

  protected togglePool(run: string): void {
    const { baseline, candidate, runs: chosen } = this.selection();
    const now = chosen.length ? chosen : this.pooled();
    const runs = now.includes(run) ? now.filter((id) => id !== run) : [...now, run];
    const plain = (side: Side) => ({ ...side, run: '' });
    this.changed.emit({ baseline: plain(baseline), candidate: plain(candidate), runs });
  }
}
