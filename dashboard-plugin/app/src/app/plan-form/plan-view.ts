import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { formatBytes, formatDuration } from '../core/units';
import { RunPlan } from '../models/run';
import { Heads } from '../shared/heads';
import { ScrollHint } from '../shared/scroll-hint';

/** Show the plan of a run: bytes, time, pools, and the whole text. */
@Component({
  selector: 'pc-plan',
  imports: [Heads, ScrollHint],
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `<section class="card" aria-labelledby="plan-title">
    <h2 id="plan-title" i18n>Plan</h2>
    <dl class="facts facts-grid">
      <div>
        <dt i18n>Expected time</dt>
        <dd>
          {{ duration(plan().seconds) }}
          <span class="muted small" i18n>at most {{ duration(plan().seconds_max) }}</span>
        </dd>
      </div>
      <div>
        <dt i18n>Written by clients</dt>
        <dd>
          {{ bytes(plan().bytes_written) }}
          @if (raw() !== null) {
            <span class="muted small" i18n>{{ bytes(raw()) }} with replicas</span>
          }
        </dd>
      </div>
      <div>
        <dt i18n>Trials</dt>
        <dd>{{ trials() }}</dd>
      </div>
      <div>
        <dt i18n>Pools</dt>
        <dd i18n>
          size {{ plan().size }}, min_size {{ plan().min_size }}, by {{ plan().failure_domain }}
        </dd>
      </div>
      <div>
        <dt i18n>Load from</dt>
        <dd>{{ plan().client_host }}</dd>
      </div>
    </dl>
    @if (plan().recovery; as test) {
      <ul class="plain plan-steps">
        @for (own of test.groups; track own.group) {
          <li>
            <strong>{{ own.group }}</strong>:
            @for (step of own.steps; track $index) {
              {{ $first ? '' : '→' }} {{ step.title }} <span class="mono">{{ step.target }}</span>
            }
          </li>
        }
      </ul>
    }
    @for (label of plan().labels; track label) {
      <p class="notice notice-warn small">{{ label }}</p>
    }
    @if (plan().pauses_autoscaler.length) {
      <p class="notice small" i18n>
        The PG autoscaler pauses meanwhile for: {{ plan().pauses_autoscaler.join(', ') }}
      </p>
    }
    <div class="scroll-x" tabindex="0" role="group" aria-labelledby="plan-title">
      <table class="data compact">
        <thead>
          <tr pcHeads="Pool|Group|&gt;PGs|&gt;At one time|Lives for" i18n-pcHeads></tr>
        </thead>
        <tbody>
          @for (pool of pools(); track pool.name) {
            <tr>
              <td class="mono">{{ pool.name }}</td>
              <td>{{ pool.group }}</td>
              <td class="right">{{ pool.pg_num }}</td>
              <td class="right nowrap">{{ bytes(pool.max_bytes) }}</td>
              <td>
                @if (pool.per_round) {
                  <ng-container i18n>a round</ng-container>
                } @else {
                  <ng-container i18n>the run</ng-container>
                }
              </td>
            </tr>
          }
        </tbody>
      </table>
    </div>
    <details>
      <summary i18n>The whole plan with its abort rules, as the command line shows it</summary>
      <pre class="plan-text" tabindex="0">{{ text() }}</pre>
    </details>
  </section>`,
})
export class PlanView {
  readonly plan = input.required<RunPlan>();
  readonly text = input.required<string>();
  protected readonly bytes = formatBytes;
  protected readonly duration = formatDuration;
  protected readonly pools = computed(() => this.plan().groups.flatMap((group) => group.pools));
  protected readonly trials = computed(() =>
    this.plan().blocks.reduce((sum, block) => sum + block.order.length, 0),
  );
  protected readonly raw = computed(() => {
    const plan = this.plan();
    const ec = plan.groups.some((group) => group.pools.some((pool) => pool.ec_profile));
    // of k+m only the whole is known here; the plan's text has the factor
    return ec ? null : plan.bytes_written * plan.size;
  });
}
