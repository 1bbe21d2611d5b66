import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { Estimate, Verdict } from '../models/comparison';
import { verdictIcon, verdictKey, verdictLabel, verdictWord } from './verdicts';

/** Show a verdict as icon, word and color. */
@Component({
  selector: 'pc-verdict',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `<span class="tag verdict-{{ key() }}"
    ><span class="tag-icon" aria-hidden="true">{{ icon() }}</span>
    <span class="tag-text">{{ text() }}</span></span
  >`,
})
export class VerdictTag {
  readonly estimate = input<Estimate | null>(null);
  readonly verdict = input<Verdict | null>(null);
  /** What is better is faster. */
  readonly speed = input(true);

  private readonly value = computed(() => this.estimate()?.verdict ?? this.verdict());
  protected readonly key = computed(() => verdictKey(this.value()));
  protected readonly icon = computed(() => verdictIcon(this.value()));
  protected readonly text = computed(() => {
    const estimate = this.estimate();
    if (estimate) {
      return verdictLabel(estimate, this.speed());
    }
    const verdict = this.value();
    return verdict ? verdictWord(verdict, this.speed()) : $localize`not judged`;
  });
}
