import { ChangeDetectionStrategy, Component, computed, input, output } from '@angular/core';
import { formatLocal } from '../core/units';
import { RunInfo } from '../models/run';
import { Side } from './selection';

/** Choose a group and the run that its figures come from. */
@Component({
  selector: 'pc-side-select',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `<fieldset class="side-select side-{{ kind() }}">
    <legend><span class="side-mark" aria-hidden="true"></span>{{ legend() }}</legend>
    <label>
      <span class="visually-hidden" i18n>Group</span>
      <select [value]="side().group" (change)="group($event)">
        @if (!groups().includes(side().group)) {
          <option [value]="side().group" selected>{{ side().group || '–' }}</option>
        }
        @for (name of groups(); track name) {
          <option [value]="name" [selected]="name === side().group">{{ name }}</option>
        }
      </select>
    </label>
    <label>
      <span class="visually-hidden" i18n>Run</span>
      <select [value]="side().run" (change)="run($event)" [disabled]="pooled()">
        <option value="" [selected]="!side().run" i18n>newest run</option>
        @if (unlisted(); as id) {
          <option [value]="id" selected>{{ id }}</option>
        }
        @for (item of choices(); track item.id) {
          <option [value]="item.id" [selected]="item.id === side().run">{{ item.text }}</option>
        }
      </select>
    </label>
  </fieldset>`,
})
export class SideSelect {
  readonly kind = input.required<'baseline' | 'candidate'>();
  readonly side = input.required<Side>();
  readonly runs = input.required<RunInfo[]>();
  readonly groups = input.required<string[]>();
  readonly pooled = input(false);
  readonly changed = output<Side>();

  protected readonly legend = computed(() =>
    this.kind() === 'baseline' ? $localize`Baseline` : $localize`Candidate`,
  );
  protected readonly choices = computed(() =>
    this.runs()
      .filter((run) => run.trials > 0 && run.groups.includes(this.side().group))
      .map((run) => ({ id: run.id, text: describe(run) })),
  );
  /** The run that is chosen, where the list of the newest ones has it not. */
  protected readonly unlisted = computed(() => {
    const { run } = this.side();
    return this.choices().some(({ id }) => id === run) ? '' : run;
  });

  protected group(event: Event): void {
    this.changed.emit({ group: (event.target as HTMLSelectElement).value, run: '' });
  }

  protected run(event: Event): void {
    this.changed.emit({ ...this.side(), run: (event.target as HTMLSelectElement).value });
  }
}

function describe(run: RunInfo): string {
  const imported = run.origin.startsWith('import') ? $localize`imported` : '';
  return [run.id, run.label, run.profile, formatLocal(run.created), imported]
    .filter(Boolean)
    .join(' · ');
}
