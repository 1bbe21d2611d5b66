import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { RuleValue } from '../models/run';
import { Heads } from './heads';
import { ScrollHint } from './scroll-hint';

/** Show what the abort rules saw: folded, unless one of them fired. */
@Component({
  selector: 'pc-abort-rules',
  imports: [Heads, ScrollHint],
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `@if (rules().length) {
    <section class="card">
      <details [open]="fired()">
        <summary><h2 class="in-summary" id="rules-title" i18n>Abort rules</h2></summary>
        <div class="scroll-x" tabindex="0" role="group" aria-labelledby="rules-title">
          <table class="data compact">
            <thead>
              <tr pcHeads="Rule|Threshold|Worst seen" i18n-pcHeads></tr>
            </thead>
            <tbody>
              @for (found of rules(); track found.rule) {
                <tr>
                  <th scope="row">
                    {{ found.rule }}
                    @if (found.fired) {
                      <span class="tag" i18n>fired</span>
                    }
                  </th>
                  <td>{{ found.threshold }}</td>
                  <td>{{ found.worst }}</td>
                </tr>
              }
            </tbody>
          </table>
        </div>
      </details>
    </section>
  }`,
})
export class AbortRules {
  readonly rules = input.required<readonly RuleValue[]>();
  protected readonly fired = computed(() => this.rules().some(({ fired }) => fired));
}
