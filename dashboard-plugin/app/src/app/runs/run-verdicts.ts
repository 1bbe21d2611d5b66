import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { Verdict } from '../models/comparison';
import { RunVerdicts } from '../models/run';
import { verdictIcon, verdictKey } from '../shared/verdicts';

const VERDICTS: readonly {
  key: 'faster' | 'slower' | 'no_difference' | 'inconclusive';
  verdict: Verdict;
  text: (count: number) => string;
}[] = [
  { key: 'faster', verdict: 'faster', text: (count) => $localize`${count} faster` },
  { key: 'slower', verdict: 'slower', text: (count) => $localize`${count} slower` },
  {
    key: 'no_difference',
    verdict: 'no difference shown',
    text: (count) => $localize`${count} no difference`,
  },
  {
    key: 'inconclusive',
    verdict: 'inconclusive',
    text: (count) => $localize`${count} inconclusive`,
  },
];

/** Show what a run came to: how many workloads have which verdict. */
@Component({
  selector: 'pc-run-verdicts',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `@for (line of lines(); track line.candidate) {
      <span class="verdict-line">
        <span class="muted small" i18n>{{ line.candidate }} compared with {{ baseline() }}:</span>
        @for (chip of line.chips; track chip.key) {
          <span class="tag tag-small verdict-{{ chip.key }}"
            ><span class="tag-icon" aria-hidden="true">{{ chip.icon }}</span> {{ chip.text }}</span
          >
        } @empty {
          <span class="muted">–</span>
        }
        @if (line.emulated) {
          <span class="tag tag-small tag-warn">{{ line.emulated }}</span>
        }
      </span>
    } @empty {
      <span class="muted">{{ none() }}</span>
    }`,
})
export class RunVerdictTags {
  readonly verdicts = input.required<readonly RunVerdicts[] | null>();
  /** The group that the others are compared with. */
  readonly baseline = input.required<string>();
  /** What is said where there are none. */
  readonly none = input('–');

  protected readonly lines = computed(() =>
    (this.verdicts() ?? []).map((one) => ({
      candidate: one.candidate,
      emulated: one.emulated?.length ? $localize`emulated: ${one.emulated.join(', ')}:groups:` : '',
      chips: VERDICTS.flatMap(({ key, verdict, text }) =>
        one[key]
          ? [{ key: verdictKey(verdict), icon: verdictIcon(verdict), text: text(one[key]) }]
          : [],
      ),
    })),
  );
}
