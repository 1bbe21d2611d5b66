import { ChangeDetectionStrategy, Component, computed, input, output } from '@angular/core';
import { Comparison } from '../models/comparison';
import { RunInfo } from '../models/run';
import { Selection, Side } from './selection';
import { SideSelect } from './side-select';

/** What can be meant to differ; others can be named in the address. */
const DIFFERENCES: readonly (readonly [string, string])[] = [
  ['release', $localize`release of Ceph`],
  ['media', $localize`media`],
  ['network', $localize`network`],
  ['compression', $localize`compression`],
  ['settings', $localize`settings of OSDs`],
];

/** Choose the sides, what is meant to differ, and the runs that are pooled. */
@Component({
  selector: 'pc-compare-sides',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [SideSelect],
  host: { style: 'display: contents' },
  templateUrl: './compare-sides.html',
})
export class CompareSides {
  readonly comparison = input<Comparison>();
  readonly selection = input.required<Selection>();
  readonly runs = input.required<RunInfo[]>();
  readonly groups = input.required<string[]>();
  readonly across = input<readonly string[]>([]);
  readonly changed = output<Selection>();
  readonly acrossChanged = output<string[]>();

  protected readonly differences = DIFFERENCES;
  protected readonly kinds = ['baseline', 'candidate'] as const;
  /**
   * What is chosen; as long as nothing is, the runs that the answer is of. Runs of
   * which each has one side are not pooled.
   */
  protected readonly pooled = computed(() => {
    const { runs } = this.selection();
    const found = this.comparison();
    return runs.length ? runs : found?.paired ? found.runs : [];
  });
  /** Runs that can be pooled: those that are, and those that have both groups. */
  protected readonly poolable = computed(() => {
    const { baseline, candidate } = this.selection();
    const listed = this.runs().filter(
      (run) =>
        run.trials > 0 &&
        run.groups.includes(baseline.group) &&
        run.groups.includes(candidate.group),
    );
    const older = this.pooled().filter((id) => !listed.some((run) => run.id === id));
    return [...older.map((id) => this.infoOf(id)), ...listed];
  });

  /** Return what is shown of a run; of one that is not listed only its id is known. */
  private infoOf(id: string): Pick<RunInfo, 'id' | 'label' | 'profile'> {
    return this.runs().find((run) => run.id === id) ?? { id, label: '', profile: '' };
  }

  protected set(side: 'baseline' | 'candidate', value: Side): void {
    this.changed.emit({ ...this.selection(), [side]: value });
  }

  protected toggleAcross(name: string): void {
    const now = this.across();
    this.acrossChanged.emit(
      now.includes(name) ? now.filter((one) => one !== name) : [...now, name],
    );
  }

  protected togglePool(run: string): void {
    const { baseline, candidate } = this.selection();
    const now = this.pooled();
    const runs = now.includes(run) ? now.filter((id) => id !== run) : [...now, run];
    const plain = (side: Side) => ({ ...side, run: '' });
    this.changed.emit({ baseline: plain(baseline), candidate: plain(candidate), runs });
  }
}
