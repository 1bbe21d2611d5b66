import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { GroupEntry } from '../models/group';
import { Command } from '../shared/command';
import { Link } from '../shared/link';

/** Show a first-time user the way to a first comparison. */
@Component({
  selector: 'pc-compare-empty',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Command, Link],
  templateUrl: './compare-empty.html',
})
export class CompareEmpty {
  readonly groups = input.required<GroupEntry[]>();
  protected readonly names = computed(() =>
    this.groups()
      .filter((entry) => entry.group)
      .map((entry) => entry.spec.name),
  );
  protected readonly first = computed(() => this.names()[0] ?? 'x86');
  protected readonly second = computed(() => this.names()[1] ?? 'arm');
}
