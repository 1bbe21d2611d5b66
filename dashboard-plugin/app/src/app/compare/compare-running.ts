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
import { Loader } from '../core/loader';
import { formatDuration, formatPercent } from '../core/units';
import { Progress, RunDetail } from '../models/run';
import { Link } from '../shared/link';
import { CardHead } from '../shared/card-head';
import { leftText } from '../shared/time-left';

/** Show how far the run is whose first rows are waited for. */
@Component({
  selector: 'pc-compare-running',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [CardHead, Link],
  template: `<section class="card running" aria-labelledby="running-title">
    <pc-card-head name="running-title">
      @if (progress().scenario) {
        <ng-container i18n>A recovery test is under way</ng-container>
      } @else {
        <ng-container i18n>A run is under way</ng-container>
      }
      <a aside [pcLink]="path()" i18n>Follow it</a>
    </pc-card-head>
    <progress
      class="bar bar-wide"
      max="1"
      [value]="progress().fraction"
      aria-labelledby="running-title"
    ></progress>
    <p>
      {{ percent(progress().fraction) }}
      @if (progress().trial) {
        · {{ progress().trial }}
      }
      @if (progress().message && progress().message !== progress().trial) {
        · {{ progress().message }}
      }
      @if (progress().state !== 'resuming') {
        · {{ left(progress()) }}
      }
    </p>
    @if (due(); as text) {
      <p class="muted">{{ text }}</p>
    }
  </section>`,
})
export class CompareRunning {
  private readonly api = inject(Api);
  readonly progress = input.required<Progress>();
  /** Rows that are shown already. */
  readonly rows = input(0);
  private readonly run = new Loader<RunDetail>();
  protected readonly percent = formatPercent;
  protected readonly left = leftText;
  protected readonly path = computed(
    () => (this.progress().scenario ? '/recoveries/' : '/runs/') + this.progress().run,
  );

  /** Say when the first row is due: when a block has all its trials. */
  protected readonly due = computed(() => {
    const found = this.run.value();
    const { eta, fraction, scenario } = this.progress();
    if (scenario) {
      return $localize`Its result appears under Recoveries.`;
    }
    if (!found || this.rows() > 0) {
      return '';
    }
    const { plan } = found.run;
    const first = plan.blocks.filter((block) => block.round > 0)[0];
    if (!first || plan.groups.length < 2) {
      return plan.groups.length < 2
        ? $localize`It measures one group: a comparison takes a run of another one.`
        : '';
    }
    const conditioning = plan.blocks.filter((block) => block.round === 0);
    const trials = (blocks: typeof plan.blocks) =>
      blocks.reduce((sum, block) => sum + block.order.length, 0);
    // trials last about as long as each other; the plan has their sum
    const each = plan.seconds / Math.max(1, trials(plan.blocks));
    const before = (trials(conditioning) + first.order.length) * each;
    const gone =
      eta === null || fraction >= 1 ? 0 : (eta * fraction) / Math.max(0.01, 1 - fraction);
    const left = before - gone;
    return left > 5
      ? $localize`The first row, ${first.workload}, is due in about ${formatDuration(left > 60 ? 60 * Math.ceil(left / 60) : left)}, after a conditioning round and its trials on all groups.`
      : $localize`The first row, ${first.workload}, is due any moment: it takes one trial on each group.`;
  });

  constructor() {
    const asked = computed(() => (this.progress().scenario ? '' : this.progress().run));
    effect(() => {
      const run = asked();
      if (run) {
        untracked(() => void this.run.load((signal) => this.api.run(run, signal)));
      }
    });
  }
}
