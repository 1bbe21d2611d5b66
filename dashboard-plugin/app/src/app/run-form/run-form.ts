import { ChangeDetectionStrategy, Component, computed, inject, signal } from '@angular/core';
import { opText } from '../compare/matrix';
import { Api } from '../core/api';
import { ApiError, asApiError } from '../core/api-error';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { Router } from '../core/router';
import { GroupEntry } from '../models/group';
import { Draft } from '../models/plan';
import { Profile } from '../models/run';
import { Command } from '../shared/command';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { FormData, emptyForm, formOf, hasAdvanced, profileFacts, toRequest } from './draft-request';
import { FIELDS, FLAGS, FlagKey, TextKey } from './fields';
import { PlanView } from './plan-view';
import { PreflightView } from './preflight-view';

interface Choices {
  groups: GroupEntry[];
  profiles: Profile[];
}

const DEFAULT_PROFILE = 'quick';

/** Ask for a run; its plan and all checks come before the start. */
@Component({
  selector: 'pc-run-form',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Command, ErrorMessage, Link, Loading, PlanView, PreflightView],
  templateUrl: './run-form.html',
})
export class RunForm {
  private readonly api = inject(Api);
  private readonly router = inject(Router);
  protected readonly live = inject(Live);

  protected readonly choices = new Loader<Choices>();
  protected readonly draft = new Loader<Draft>();
  protected readonly form = signal<FormData>(emptyForm(DEFAULT_PROFILE));
  protected readonly repeated = signal('');
  protected readonly consent = signal(false);
  protected readonly starting = signal(false);
  protected readonly problem = signal('');
  protected readonly fields = FIELDS;
  protected readonly flags = FLAGS;
  protected readonly forbidden = new ApiError(403, '');
  /** The form that the shown plan belongs to. */
  private readonly planned = signal('');

  protected readonly usable = computed(() =>
    (this.choices.value()?.groups ?? []).filter((entry) => entry.group),
  );
  protected readonly profile = computed(() =>
    this.choices.value()?.profiles.find((item) => item.name === this.form().profile),
  );
  protected readonly facts = computed(() => {
    const profile = this.profile();
    return profile ? profileFacts(profile) : [];
  });
  /** What a profile does, each once: what `--workload` chooses from. */
  protected readonly operations = computed(() => [
    ...new Set((this.profile()?.workloads ?? []).map((workload) => workload.op)),
  ]);
  protected readonly operation = opText;
  protected readonly advanced = computed(() => hasAdvanced(this.form()));
  protected readonly valid = computed(() => this.form().groups.length > 0 && !!this.profile());
  /** The plan shown is not that of the form any more. */
  protected readonly stale = computed(
    () => !!this.draft.value() && this.planned() !== JSON.stringify(this.form()),
  );
  protected readonly ready = computed(() => {
    const report = this.draft.value()?.preflight;
    return (
      !!report &&
      !this.stale() &&
      !this.draft.error() &&
      !report.refused &&
      (!report.needs_consent || this.consent())
    );
  });
  protected readonly why = computed(() => {
    const report = this.draft.value()?.preflight;
    if (!report || this.draft.error()) {
      return $localize`Look at the plan first: choose groups, then “Check and show plan”.`;
    }
    if (this.stale()) {
      return $localize`The settings have changed. Check them again.`;
    }
    if (report.refused) {
      return $localize`A check refuses this run. Nothing was touched.`;
    }
    return this.ready() ? '' : $localize`This run needs your consent.`;
  });

  constructor() {
    void this.load();
  }

  protected async load(): Promise<void> {
    const repeat = this.router.query().get('repeat');
    await this.choices.load(async (signal) => {
      const [groups, profiles, former] = await Promise.all([
        this.api.groups(signal),
        this.api.profiles(signal),
        repeat ? this.api.run(repeat, signal) : null,
      ]);
      if (former) {
        this.form.set(formOf(former.run));
        this.repeated.set(former.run.id);
      } else {
        this.preselect(groups);
      }
      return { groups, profiles };
    });
  }

  private preselect(groups: GroupEntry[]): void {
    const asked = this.router.query().getAll('group');
    const usable = groups.filter((entry) => entry.group);
    const pair = [usable.filter((entry) => entry.defined), usable].find((l) => l.length === 2);
    const names = asked.length ? asked : (pair ?? []).map((entry) => entry.spec.name);
    this.form.update((form) => ({ ...form, groups: names }));
  }

  protected patch(change: Partial<FormData>): void {
    this.form.update((form) => ({ ...form, ...change }));
  }

  protected text(event: Event): string {
    return (event.target as HTMLInputElement).value;
  }

  protected checked(event: Event): boolean {
    return (event.target as HTMLInputElement).checked;
  }

  protected setText(key: TextKey | 'label', event: Event): void {
    this.form.update((form) => ({ ...form, [key]: this.text(event) }));
  }

  protected setFlag(key: FlagKey, event: Event): void {
    this.form.update((form) => ({ ...form, [key]: this.checked(event) }));
  }

  protected toggle(key: 'groups' | 'workloads', name: string): void {
    const now = this.form()[key];
    this.patch({
      [key]: now.includes(name) ? now.filter((item) => item !== name) : [...now, name],
    });
  }

  protected setProfile(name: string): void {
    this.patch({ profile: name, workloads: [] });
  }

  protected async check(event?: Event): Promise<void> {
    event?.preventDefault();
    if (!this.valid()) {
      return;
    }
    const form = this.form();
    this.problem.set('');
    this.consent.set(false);
    await this.draft.load((signal) => this.api.plan(toRequest(form, false), signal));
    this.planned.set(JSON.stringify(form));
  }

  protected async start(): Promise<void> {
    const draft = this.draft.value();
    if (!this.ready() || !draft || this.starting()) {
      return;
    }
    this.starting.set(true);
    this.problem.set('');
    try {
      // the seed makes the run that starts the one that was shown
      const request = { ...toRequest(this.form(), this.consent()), seed: draft.plan.seed };
      const ticket = await this.api.start(request);
      await this.live.refresh();
      this.router.navigate(`/runs/${ticket.run}`);
    } catch (error) {
      this.problem.set(asApiError(error).message);
    } finally {
      this.starting.set(false);
    }
  }
}
