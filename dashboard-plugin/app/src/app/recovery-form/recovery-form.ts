import { ChangeDetectionStrategy, Component, computed } from '@angular/core';
import { PlanForm } from '../plan-form/plan-form';
import { PlanPage } from '../plan-form/plan-page';
import { Setting, textOf } from '../plan-form/settings';
import { HARMLESS, SCENARIOS, testSettings } from './recovery-settings';

/** Ask for a recovery test; its plan and all checks come before the start. */
@Component({
  selector: 'pc-recovery-form',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [PlanPage],
  template: `<pc-plan-page
    [of]="this"
    title="New recovery test"
    i18n-title
    action="Start the test"
    i18n-action
  >
    <fieldset class="field">
      <legend i18n>Scenario</legend>
      <div class="choices">
        @for (item of scenarios; track item.name) {
          <label class="check block">
            <input
              type="radio"
              name="scenario"
              [value]="item.name"
              [checked]="item.name === scenario()"
              (change)="set('scenario', item.name)"
            />
            <span
              >{{ item.name }}&ngsp;<span class="muted small">{{ item.about }}</span></span
            >
          </label>
        }
      </div>
    </fieldset>
    @if (dangerous()) {
      <p class="notice notice-warn" i18n>
        This makes OSDs fail, with data of all pools. It needs the option allow_failure_tests.
      </p>
    }
  </pc-plan-page>`,
})
export class RecoveryForm extends PlanForm {
  protected readonly scenarios = SCENARIOS;
  protected readonly scenario = computed(() => textOf(this.form(), 'scenario'));
  protected override readonly main: readonly Setting[] = [{ key: 'scenario', label: '' }];
  override readonly settings = computed(() => testSettings(this.declared(), this.scenario()));
  protected override readonly paths = {
    plan: '/recovery/plan',
    start: '/recovery',
    page: '/recoveries',
  };

  constructor() {
    super();
    this.set('scenario', HARMLESS);
    void this.load();
  }

  protected override dangerous(): boolean {
    return this.scenario() !== HARMLESS;
  }

  protected override forbidden(): string {
    return this.dangerous() && !this.live.status()?.failure_tests
      ? $localize`This takes the scope perfcompare-failure.`
      : '';
  }
}
