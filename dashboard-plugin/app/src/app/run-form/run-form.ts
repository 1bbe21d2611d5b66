import { ChangeDetectionStrategy, Component, computed, signal } from '@angular/core';
import { Profile } from '../models/run';
import { PlanForm } from '../plan-form/plan-form';
import { PlanPage } from '../plan-form/plan-page';
import { Setting, textOf } from '../plan-form/settings';
import { Link } from '../shared/link';
import { formOf, profileFacts, runSettings } from './run-settings';

const DEFAULT_PROFILE = 'quick';

/** Ask for a run; its plan and all checks come before the start. */
@Component({
  selector: 'pc-run-form',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Link, PlanPage],
  template: `<pc-plan-page
    [of]="this"
    title="New run"
    i18n-title
    action="Start the run"
    i18n-action
  >
    @if (repeated(); as id) {
      <p class="notice" role="status">
        <ng-container i18n>With the settings of</ng-container>&ngsp;
        <a [pcLink]="'/runs/' + id" i18n>run {{ id }}</a>
      </p>
    }
    <div class="field">
      <label for="profile" i18n>Profile</label>
      <select id="profile" (change)="setProfile($event)">
        @if (lost()) {
          <option [value]="profileName()" selected>{{ profileName() }}</option>
        }
        @for (item of profiles(); track item.name) {
          <option
            [value]="item.name"
            [selected]="item.name === profileName()"
            [disabled]="!!item.problem"
          >
            {{ item.name }}{{ item.builtin ? '' : ' · ' + item.version }}
          </option>
        }
      </select>
      @if (lost()) {
        <p class="error-text small" role="status" i18n>
          There is no profile {{ profileName() }} any more: choose another one.
        </p>
      }
      @if (profile(); as item) {
        <p class="help">{{ item.description }}</p>
        <p class="help small" i18n>
          {{ item.workloads.length }} workloads in {{ item.rounds }} rounds: {{ facts(item) }}
        </p>
      }
    </div>
  </pc-plan-page>`,
})
export class RunForm extends PlanForm {
  protected readonly profiles = signal<Profile[]>([]);
  protected readonly repeated = signal('');
  protected readonly profileName = computed(() => textOf(this.form(), 'profile'));
  protected readonly profile = computed(() =>
    this.profiles().find((item) => item.name === this.profileName()),
  );
  /** A run that is repeated had a profile that was deleted since. */
  protected readonly lost = computed(() => this.profiles().length > 0 && !this.profile());
  protected readonly facts = profileFacts;
  protected override readonly main: readonly Setting[] = [{ key: 'profile', label: '' }];
  override readonly settings = computed(() =>
    runSettings(this.declared(), this.profile(), this.form()),
  );
  protected override readonly paths = { plan: '/plan', start: '/run', page: '/runs' };

  constructor() {
    super();
    this.set('profile', DEFAULT_PROFILE);
    void this.load();
  }

  override valid(): boolean {
    return super.valid() && !!this.profile();
  }

  override async load(): Promise<void> {
    const repeat = this.router.query().get('repeat');
    await this.groups.load(async (signal) => {
      this.profiles.set(await this.api.profiles(signal));
      if (repeat) {
        const [{ run }, declared] = await Promise.all([
          this.api.run(repeat, signal),
          this.api.options(signal),
        ]);
        this.declared.set(declared);
        const rounds = Number(this.router.query().get('rounds'));
        const form = formOf(run, declared);
        this.form.set(rounds > 0 ? { ...form, rounds: String(rounds) } : form);
        this.repeated.set(run.id);
        this.expanded.set(this.advanced());
      }
      return this.preselected(signal);
    });
  }

  protected setProfile(event: Event): void {
    this.form.update((form) => ({
      ...form,
      profile: (event.target as HTMLSelectElement).value,
      workloads: [],
    }));
  }
}
