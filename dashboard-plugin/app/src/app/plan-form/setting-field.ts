import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { PlanForm } from './plan-form';
import { Setting, faultOf, listOf, textOf } from './settings';

/** Ask for one setting, in the way that fits it; say its option, too. */
@Component({
  selector: 'pc-setting',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `@let one = setting();
    @if (one.flag) {
      <label class="check block">
        <input
          type="checkbox"
          [checked]="of().form()[one.key]"
          (change)="of().set(one.key, checked($event))"
        />
        {{ one.label }}
      </label>
      <code class="word">{{ one.word }}</code>
    } @else if (one.many) {
      <fieldset class="field">
        <legend>{{ one.label }}</legend>
        <code class="word">{{ one.word }}</code>
        <div class="choices">
          @for (item of one.many; track item[0]) {
            <label class="check">
              <input
                type="checkbox"
                [checked]="list(of().form(), one.key).includes(item[0])"
                (change)="of().toggle(one.key, item[0])"
              />
              {{ item[1] }}
            </label>
          }
        </div>
      </fieldset>
    } @else {
      <div class="field">
        <label [for]="one.key">{{ one.label }}</label>
        <code class="word">{{ one.word }}</code>
        @if (one.options) {
          <select [id]="one.key" (change)="of().set(one.key, value($event))">
            @for (item of one.options; track item) {
              <option [value]="item" [selected]="item === text(of().form(), one.key)">
                {{ item || one.fallback || '–' }}
              </option>
            }
          </select>
        } @else {
          <input
            [id]="one.key"
            type="text"
            [attr.inputmode]="one.number ? 'decimal' : null"
            [attr.aria-invalid]="fault() ? true : null"
            [attr.aria-describedby]="fault() ? one.key + '-fault' : null"
            [placeholder]="one.fallback ?? ''"
            [value]="text(of().form(), one.key)"
            (input)="of().set(one.key, value($event))"
          />
          <span class="error-text small" role="status" [id]="one.key + '-fault'">{{
            fault()
          }}</span>
        }
      </div>
    }`,
})
export class SettingField {
  readonly of = input.required<PlanForm>();
  readonly setting = input.required<Setting>();
  /** A number field takes text, so that what was typed stays to be mended. */
  protected readonly fault = computed(() => {
    const setting = this.setting();
    return faultOf(setting, this.of().form()[setting.key]);
  });
  protected readonly text = textOf;
  protected readonly list = listOf;

  protected value(event: Event): string {
    return (event.target as HTMLInputElement).value;
  }

  protected checked(event: Event): boolean {
    return (event.target as HTMLInputElement).checked;
  }
}
