import { ChangeDetectionStrategy, Component, input } from '@angular/core';
import { Command } from '../shared/command';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { PlanForm } from './plan-form';
import { PlanView } from './plan-view';
import { PreflightView } from './preflight-view';
import { SettingField } from './setting-field';
import { LABEL, Setting } from './settings';

/** Show a form beside its plan, with the start below it. */
@Component({
  selector: 'pc-plan-page',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Command, ErrorMessage, Link, Loading, PlanView, PreflightView, SettingField],
  templateUrl: './plan-page.html',
})
export class PlanPage {
  readonly of = input.required<PlanForm>();
  readonly title = input.required<string>();
  /** What the start button says. */
  readonly action = input.required<string>();
  protected readonly label = LABEL;

  protected baselineLabel(group: string): string {
    return $localize`make it the baseline: ${group}`;
  }

  /** Return the settings in the order of their kinds: fields come in a row. */
  protected ofKind(settings: readonly Setting[], kind: 'many' | 'field' | 'flag'): Setting[] {
    return settings.filter(
      (one) => (one.flag ? 'flag' : one.many ? 'many' : 'field') === kind && one.many?.length !== 0,
    );
  }

  protected checked(event: Event): boolean {
    return (event.target as HTMLInputElement).checked;
  }
}
