import { ChangeDetectionStrategy, Component, input, output, signal } from '@angular/core';

/** One field of a form whose values go to the module and never come back. */
export interface SecretField {
  name: string;
  label: string;
  /** Its text is not shown while it is typed. */
  hidden?: boolean;
  /** Several lines: a certificate. */
  lines?: boolean;
  placeholder?: string;
  optional?: boolean;
}

/** Ask for texts, some of which are secret, and send those that are given. */
@Component({
  selector: 'pc-secret-fields',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `<form (submit)="send($event)" novalidate autocomplete="off">
    @for (field of fields(); track field.name) {
      <div class="field">
        <label [for]="prefix() + field.name">{{ field.label }}</label>
        @if (field.lines) {
          <textarea
            class="mono"
            rows="3"
            spellcheck="false"
            [id]="prefix() + field.name"
            [value]="values()[field.name] ?? ''"
            (input)="set(field.name, $event)"
          ></textarea>
        } @else {
          <input
            autocomplete="off"
            [type]="field.hidden ? 'password' : 'text'"
            [id]="prefix() + field.name"
            [placeholder]="field.placeholder ?? ''"
            [value]="values()[field.name] ?? ''"
            (input)="set(field.name, $event)"
          />
        }
      </div>
    }
    @if (problem()) {
      <div class="notice notice-error" role="alert">{{ problem() }}</div>
    }
    <div class="actions">
      <button type="submit" class="button" [disabled]="busy() || !complete()" i18n>Save</button>
      <button type="button" class="button button-quiet" (click)="closed.emit()" i18n>Back</button>
    </div>
  </form>`,
})
export class SecretFields {
  readonly fields = input.required<readonly SecretField[]>();
  /** What the ids of its fields begin with. */
  readonly prefix = input.required<string>();
  readonly busy = input(false);
  readonly problem = input('');
  readonly given = output<Record<string, string>>();
  readonly closed = output();
  protected readonly values = signal<Record<string, string>>({});

  /** Say whether all is there that must be, and anything at all. */
  protected complete(): boolean {
    const given = this.filled();
    return (
      Object.keys(given).length > 0 &&
      this.fields().every(({ name, optional }) => optional || name in given)
    );
  }

  protected set(name: string, event: Event): void {
    const { value } = event.target as HTMLInputElement;
    this.values.update((values) => ({ ...values, [name]: value }));
  }

  protected send(event: Event): void {
    event.preventDefault();
    if (this.complete()) {
      this.given.emit(this.filled());
    }
  }

  private filled(): Record<string, string> {
    // a space at the end of a secret may be part of it
    const secret = new Set(
      this.fields()
        .filter(({ hidden }) => hidden)
        .map(({ name }) => name),
    );
    return Object.fromEntries(
      Object.entries(this.values())
        .map(([name, value]) => [name, secret.has(name) ? value : value.trim()])
        .filter(([, value]) => value),
    ) as Record<string, string>;
  }
}
