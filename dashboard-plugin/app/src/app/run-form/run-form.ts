import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  signal,
  untracked,
} from '@angular/core';
import { asApiError } from '../core/api-error';
import { FormerProfile, Profile, Run } from '../models/run';
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
      <select id="profile" (change)="setProfile($event)" (focus)="look()">
        @if (lost()) {
          <option [value]="profileName()" selected>{{ profileName() }}</option>
        }
        @if (former(); as item) {
          <option [value]="formerName()" [selected]="asFormer()">
            {{ item.name }} · {{ item.version }} ·
            <ng-container i18n>as in run {{ item.run }}</ng-container>
          </option>
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
      @if (unknown(); as problem) {
        <p class="error-text small" role="status">{{ problem }}</p>
      } @else if (lost()) {
        <p class="error-text small" role="status" i18n>
          There is no profile {{ profileName() }} any more: choose another one.
        </p>
      }
      @if (former(); as item) {
        <p class="notice small" role="status">
          @if (item.since === 'gone') {
            <ng-container i18n
              >The profile {{ item.name }} was removed since run {{ item.run }}.</ng-container
            >
          } @else {
            <ng-container i18n
              >The profile {{ item.name }} has changed since run {{ item.run }}.</ng-container
            >
          }
          @if (asFormer()) {
            &ngsp;<ng-container i18n
              >It is taken as that run had it, with what the settings of the run
              replaced.</ng-container
            >
          }
          &ngsp;<code class="nowrap">--profile {{ formerName() }}</code>
        </p>
      }
      @if (profile(); as item) {
        <p class="help">{{ item.description }}</p>
        <p class="help small">
          <ng-container i18n
            >{item.workloads.length, plural,
              =1 {1 workload}
              other {{{ item.workloads.length }} workloads}
            }
            in {item.rounds, plural, =1 {1 round} other {{{ item.rounds }} rounds}}</ng-container
          >: {{ facts(item) }}
        </p>
      }
    </div>
  </pc-plan-page>`,
})
export class RunForm extends PlanForm {
  protected readonly profiles = signal<Profile[]>([]);
  protected readonly repeated = signal('');
  /** What the address asks for: a run to repeat, or groups. */
  private readonly asked = computed(() =>
    ['repeat', 'rounds', 'group'].map((name) => this.router.query().getAll(name).join()).join(' '),
  );
  protected readonly profileName = computed(() => textOf(this.form(), 'profile'));
  /** The profile of a repeated run as it had it, where it is another one now. */
  protected readonly former = signal<FormerProfile | undefined>(undefined);
  protected readonly formerName = computed(() => {
    const found = this.former();
    return found ? `${found.name}@${found.run}` : '';
  });
  protected readonly asFormer = computed(
    () => !!this.former() && this.profileName() === this.formerName(),
  );
  protected readonly profile = computed(() =>
    this.asFormer()
      ? this.former()
      : this.profiles().find((item) => item.name === this.profileName()),
  );
  /** Why a repeated run has no profile that can be run. */
  protected readonly unknown = signal('');
  /** A run that is repeated had a profile that cannot be had. */
  protected readonly lost = computed(() => this.profiles().length > 0 && !this.profile());
  protected readonly facts = profileFacts;
  protected override readonly main: readonly Setting[] = [{ key: 'profile', label: '' }];
  override readonly settings = computed(() =>
    runSettings(this.declared(), this.profile(), this.form()),
  );
  protected override readonly paths = { plan: '/plan', start: '/run', page: '/runs' };

  constructor() {
    super();
    let begun = false;
    effect(() => {
      // another run to repeat, or none: nothing of the former one stays
      this.asked();
      untracked(() => {
        if (!begun || this.router.route().page === 'new') {
          this.begin();
          void this.load();
        }
        begun = true;
      });
    });
  }

  private begin(): void {
    this.reset({ groups: [], profile: DEFAULT_PROFILE });
    this.repeated.set('');
    this.former.set(undefined);
    this.unknown.set('');
  }

  override valid(): boolean {
    return super.valid() && !!this.profile();
  }

  override async load(): Promise<void> {
    const query = this.router.query();
    const repeat = query.get('repeat');
    const rounds = Number(query.get('rounds'));
    await this.groups.load(async (signal) => {
      this.profiles.set(await this.api.profiles(signal));
      if (repeat) {
        const [{ run }, declared] = await Promise.all([
          this.api.run(repeat, signal),
          this.api.options(signal),
        ]);
        this.declared.set(declared);
        const form = formOf(run, declared);
        await this.findFormer(run, signal);
        const profile = this.formerName() || form['profile'];
        this.form.set({ ...form, profile, ...(rounds > 0 ? { rounds: String(rounds) } : {}) });
        this.repeated.set(run.id);
        this.expanded.set(this.advanced());
      }
      return this.preselected(signal);
    });
  }

  protected override async renew(): Promise<void> {
    const [profiles] = await Promise.all([this.api.profiles(), super.renew()]);
    this.profiles.set(profiles);
  }

  /** Find the profile as a run had it, unless its name still means the same. */
  private async findFormer(run: Run, signal: AbortSignal): Promise<void> {
    this.former.set(undefined);
    this.unknown.set('');
    try {
      const found = await this.api.formerProfile(run.plan.profile.name, run.id, signal);
      this.former.set(found.since === 'same' ? undefined : found);
    } catch (error) {
      signal.throwIfAborted();
      this.unknown.set(asApiError(error).message);
    }
  }

  protected setProfile(event: Event): void {
    this.unknown.set('');
    this.form.update((form) => ({
      ...form,
      profile: (event.target as HTMLSelectElement).value,
      workloads: [],
    }));
  }
}
