import { computed, effect, inject, signal, untracked } from '@angular/core';
import { Api } from '../core/api';
import { asApiError } from '../core/api-error';
import { Attention } from '../core/attention';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { Router } from '../core/router';
import { GroupEntry } from '../models/group';
import { Declarations, Draft, Ticket } from '../models/plan';
import { RunInfo } from '../models/run';
import { FormData, LABEL, Setting, Value, faultOf, isFilled, listOf, toRequest } from './settings';

/** How many of the last runs are looked at for who was the baseline. */
const LAST = 200;

/** What a start is answered where it is not so any more as it was shown. */
const OUTDATED = [403, 409];

/** Return the names of groups, the baseline of their last run here first; none where none tells. */
function asBefore(groups: GroupEntry[], runs: RunInfo[]): string[] {
  const names = groups.map((entry) => entry.spec.name);
  const last = runs.find((run) => run.fsid && names.every((name) => run.groups.includes(name)));
  return last ? names.sort((a, b) => last.groups.indexOf(a) - last.groups.indexOf(b)) : [];
}

function isUsable(name: string, groups: GroupEntry[]): boolean {
  return groups.some(({ spec, group }) => spec.name === name && group);
}

/** Return the warnings of a start that its plan did not have. */
function unseenOf({ warnings }: Ticket, { preflight }: Draft): string[] {
  const shown = preflight.checks
    .filter(({ severity }) => severity !== 'ok' && severity !== 'info')
    .map(({ id }) => id);
  return warnings.filter((warning) => !shown.includes(warning.split(':')[0]));
}

/** Say why a group that was asked for is not chosen: it could not be unchosen either. */
function leftOut(name: string, groups: GroupEntry[]): string {
  const why =
    groups.find(({ spec }) => spec.name === name)?.problem ||
    $localize`there is no such group any more`;
  return $localize`${name}:group: was left out: ${why}:reason:`;
}

/** Hold a form whose plan and checks come before its start. */
export abstract class PlanForm {
  protected readonly api = inject(Api);
  protected readonly router = inject(Router);
  readonly live = inject(Live);

  readonly groups = new Loader<GroupEntry[]>();
  /** What can be asked for, as the module declares it. */
  protected readonly declared = signal<Declarations>({ run: [], recovery: [], loads: [] });
  readonly draft = new Loader<Draft>();
  readonly form = signal<FormData>({ groups: [] });
  readonly consent = signal(false);
  /** Whether what is seldom changed is shown from the start. */
  readonly expanded = signal(false);
  readonly starting = signal(false);
  readonly problem = signal('');
  /** What has started, and what was said of it only then. */
  readonly started = signal<{ page: string; unseen: string[] } | null>(null);
  /** What was said of groups that were asked for and cannot be measured. */
  readonly leftOut = signal<string[]>([]);
  /** The form that the shown plan belongs to. */
  private readonly planned = signal('');

  /** What is always shown, and what is seldom changed. */
  protected abstract readonly main: readonly Setting[];
  abstract readonly settings: () => readonly Setting[];
  /** Where plans are asked for, where it is started, and where that leads. */
  protected abstract readonly paths: { plan: string; start: string; page: string };

  readonly usable = computed(() => (this.groups.value() ?? []).filter((entry) => entry.group));
  /** The settings that are seldom changed, those of one kind of load together. */
  readonly sections = computed(() => {
    const kinds = [{ name: '', title: '' }, ...this.declared().loads];
    return kinds
      .map(({ name, title }) => ({
        title,
        settings: this.settings().filter(({ load }) => (load ?? '') === name),
      }))
      .filter(({ settings }) => settings.length);
  });
  readonly advanced = computed(() => {
    const form = this.form();
    return this.settings().some(({ key }) => isFilled(form, key));
  });
  /** The plan shown is not that of the form any more. */
  readonly stale = computed(
    () => !!this.draft.value() && this.planned() !== JSON.stringify(this.form()),
  );
  readonly asksConsent = computed(() => {
    const report = this.draft.value()?.preflight;
    return (
      !!report &&
      !report.refused &&
      !this.stale() &&
      this.mayStart() &&
      (report.needs_consent || this.dangerous())
    );
  });
  /** Who may only read can plan. */
  private readonly mayStart = computed(() => this.live.may('create'));
  readonly ready = computed(() => !this.why());
  /** Why it cannot start now; '' when it can. */
  readonly why = computed(() => {
    if (!this.mayStart()) {
      return $localize`To start takes the permission “create” of the scope perfcompare; the plan does not.`;
    }
    const report = this.draft.value()?.preflight;
    if (this.draft.busy()) {
      return $localize`Checking…`;
    }
    if (!report || this.draft.error()) {
      return $localize`Look at the plan first: choose groups, then “Check and show plan”.`;
    }
    if (this.stale()) {
      return $localize`The settings have changed. Check them again.`;
    }
    const forbidden = this.forbidden();
    if (forbidden || report.refused) {
      return forbidden || $localize`A check refuses this. Nothing was touched.`;
    }
    return this.asksConsent() && !this.consent() ? $localize`This needs your consent.` : '';
  });

  /** What a screen reader is told of the plan. */
  readonly told = computed(() => {
    const draft = this.draft.value();
    if (!draft || this.stale() || this.draft.busy()) {
      return '';
    }
    if (draft.preflight.refused) {
      return $localize`The plan is shown. A check refuses it.`;
    }
    return this.mayStart() && !this.forbidden()
      ? $localize`The plan is shown. It can be started.`
      : $localize`The plan is shown.`;
  });

  valid(): boolean {
    const form = this.form();
    return form.groups.length > 0 && !this.settings().some((one) => faultOf(one, form[one.key]));
  }

  /** Say whether more than what the checks find needs consent. */
  protected dangerous(): boolean {
    return false;
  }

  /** Return why this user may not start what the form asks for. */
  protected forbidden(): string {
    return '';
  }

  constructor() {
    const { here } = inject(Attention);
    let before = untracked(here);
    effect(() => {
      const now = here();
      if (now && !before) {
        untracked(() => void this.look());
      }
      before = now;
    });
  }

  async load(): Promise<void> {
    await this.groups.load((signal) => this.preselected(signal));
  }

  /** Look for what was made meanwhile elsewhere; what is chosen stays, what fails is as before. */
  async look(): Promise<void> {
    if (this.groups.value()) {
      await this.renew().catch(() => undefined);
    }
  }

  protected async renew(): Promise<void> {
    const groups = await this.api.groups();
    this.groups.value.set(groups);
    const chosen = this.form().groups;
    if (chosen.some((name) => !isUsable(name, groups))) {
      this.choose(chosen, groups);
    }
  }

  /** Choose groups, as far as they can be measured; say of others why not. */
  private choose(names: readonly string[], groups: GroupEntry[]): void {
    const left = names.filter((name) => !isUsable(name, groups));
    this.set(
      'groups',
      names.filter((name) => !left.includes(name)),
    );
    this.leftOut.set(left.map((name) => leftOut(name, groups)));
  }

  /** Return the groups, and choose those that are most likely meant. */
  protected async preselected(signal: AbortSignal): Promise<GroupEntry[]> {
    const [groups, { runs }, declared] = await Promise.all([
      this.api.groups(signal),
      this.api.runs(LAST, 0, signal),
      this.api.options(signal),
    ]);
    this.declared.set(declared);
    const chosen = this.form().groups;
    const asked = chosen.length ? chosen : this.router.query().getAll('group');
    if (asked.length) {
      this.choose(asked, groups);
    } else {
      const usable = groups.filter((entry) => entry.group);
      const pair = [usable.filter((entry) => entry.defined), usable].find((l) => l.length === 2);
      this.set('groups', pair ? asBefore(pair, runs) : []);
    }
    return groups;
  }

  /** Begin with a form that has only this. */
  protected reset(form: FormData): void {
    this.form.set(form);
    this.draft.clear();
    this.consent.set(false);
    this.expanded.set(false);
    this.problem.set('');
    this.started.set(null);
    this.leftOut.set([]);
  }

  set(key: string, value: Value): void {
    this.form.update((form) => ({ ...form, [key]: value }));
  }

  makeBaseline(group: string): void {
    const { groups } = this.form();
    this.set('groups', [group, ...groups.filter((name) => name !== group)]);
  }

  toggle(key: string, name: string): void {
    const now = listOf(this.form(), key);
    this.set(key, now.includes(name) ? now.filter((item) => item !== name) : [...now, name]);
  }

  private request(consent: boolean) {
    return toRequest(this.form(), [...this.main, LABEL, ...this.settings()], consent);
  }

  async check(event?: Event): Promise<void> {
    event?.preventDefault();
    if (!this.valid()) {
      return;
    }
    this.problem.set('');
    await this.plan();
  }

  private async plan(): Promise<void> {
    const form = JSON.stringify(this.form());
    this.started.set(null);
    await this.draft.load((signal) => this.api.plan(this.paths.plan, this.request(false), signal));
    this.planned.set(form);
    // given meanwhile, it was for what was shown before
    this.consent.set(false);
  }

  async start(): Promise<void> {
    const draft = this.draft.value();
    if (!this.ready() || !draft || this.starting()) {
      return;
    }
    let outdated = false;
    this.starting.set(true);
    this.problem.set('');
    try {
      // the seed makes what starts the one that was shown, the digest tells whether it is
      const { plan, digest } = draft;
      const request = { ...this.request(this.consent()), seed: plan.seed, digest };
      const ticket = await this.api.start(this.paths.start, request);
      await this.live.refresh();
      const page = `${this.paths.page}/${ticket.run}`;
      const unseen = unseenOf(ticket, draft);
      if (unseen.length) {
        this.started.set({ page, unseen });
      } else {
        this.router.navigate(page);
      }
    } catch (error) {
      const { status, message } = asApiError(error);
      this.problem.set(message);
      outdated = OUTDATED.includes(status);
    } finally {
      this.starting.set(false);
    }
    if (outdated) {
      await this.plan();
    }
  }
}
