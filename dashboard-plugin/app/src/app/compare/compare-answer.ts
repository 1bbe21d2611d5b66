import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  untracked,
} from '@angular/core';
import { Api } from '../core/api';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { Router } from '../core/router';
import { formatRatio } from '../core/units';
import { Comparison } from '../models/comparison';
import { Declarations } from '../models/plan';
import { Link } from '../shared/link';
import { VERDICTS, verdictIcon, verdictKey, verdictWord } from '../shared/verdicts';
import { answerOf, leadOf, repetitionOf } from './answer';
import { Metric, metricTitle } from './metrics';

/** The tools that runs can be made with. */
const TOOLS = ['rados', 'rbd', 'rbd-bench', 's3', 'warp'];

/** Say what a comparison says: who, in how many, by how much, what is open. */
@Component({
  selector: 'pc-answer',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Link],
  templateUrl: './compare-answer.html',
})
export class CompareAnswer {
  private readonly api = inject(Api);
  private readonly live = inject(Live);
  private readonly router = inject(Router);
  readonly comparison = input.required<Comparison>();
  readonly metric = input.required<Metric>();
  readonly perOsd = input(false);
  /** The filter of the rows: a verdict's key, and maybe a reason. */
  readonly show = input('');

  protected readonly answer = computed(() =>
    answerOf(this.comparison(), this.metric(), this.perOsd()),
  );
  /** The claim of the headline; null while nothing is decided. */
  protected readonly lead = computed(() => leadOf(this.answer().counts));
  /** The metric that is claimed of, where a word alone would be taken for op/s. */
  protected readonly named = computed(() => {
    const metric = this.metric();
    return metric.key === 'ops' && !this.perOsd() ? '' : metricTitle(metric, this.perOsd());
  });
  protected readonly chips = computed(() => {
    const { counts } = this.answer();
    return VERDICTS.map((verdict) => {
      return {
        key: verdictKey(verdict),
        word: verdictWord(verdict, this.metric().speed),
        icon: verdictIcon(verdict),
        count: counts[verdict],
      };
    }).filter(({ count, key }) => count > 0 || key === this.show());
  });
  protected readonly size = computed(() => {
    const { size, counts } = this.answer();
    return (
      size && {
        rows: counts.faster + counts.slower,
        mean: formatRatio(size.mean),
        low: formatRatio(size.low),
        high: formatRatio(size.high),
      }
    );
  });
  /** What can be asked for, which says how many rounds a run can have. */
  private readonly declared = new Loader<Declarations>();
  protected readonly repetition = computed(() => {
    const rounds = this.declared.value()?.run.find(({ name }) => name === 'rounds');
    return repetitionOf(this.comparison(), this.metric(), this.perOsd(), rounds?.most ?? 0);
  });
  /** The run that can be repeated; '' is none. */
  private readonly repeatable = computed(() => {
    const { runs, paired, tool, baseline } = this.comparison();
    // what was imported from another tool has no OSDs, even if the tool is known
    const ours = !!baseline.osds && tool.split(', ').every((name) => TOOLS.includes(name));
    const able = paired && ours && runs.length === 1 && this.live.may('create');
    return able && runs[0] !== this.live.activeRun() ? runs[0] : '';
  });
  /** Where the run can be repeated with the rounds that are missing. */
  protected readonly repeat = computed(() => {
    const [run, { rounds }] = [this.repeatable(), this.repetition()];
    return run && rounds ? `/new?repeat=${run}&rounds=${rounds}` : '';
  });

  constructor() {
    effect(() => {
      if (this.repeatable() && this.answer().unclear.length) {
        untracked(() => {
          if (!this.declared.value() && !this.declared.busy()) {
            void this.declared.load((signal) => this.api.options(signal));
          }
        });
      }
    });
  }

  protected toggle(show: string): void {
    this.router.patchQuery({ show: this.show() === show ? null : show });
  }
}
