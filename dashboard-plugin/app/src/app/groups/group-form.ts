import {
  ChangeDetectionStrategy,
  Component,
  computed,
  inject,
  input,
  linkedSignal,
  output,
} from '@angular/core';
import { Api } from '../core/api';
import { Attempt } from '../core/attempt';
import { GroupChange, GroupEntry, Osd } from '../models/group';
import { faultOf, numberOf } from '../plan-form/settings';

const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** Create a group, or change one. */
@Component({
  selector: 'pc-group-form',
  changeDetection: ChangeDetectionStrategy.OnPush,
  templateUrl: './group-form.html',
})
export class GroupForm {
  private readonly api = inject(Api);
  readonly entry = input<GroupEntry | null>(null);
  readonly osds = input.required<Osd[]>();
  readonly saved = output();
  readonly cancelled = output();

  protected readonly name = linkedSignal(() => this.entry()?.spec.name ?? '');
  protected readonly hosts = linkedSignal(() => this.entry()?.spec.hosts ?? []);
  protected readonly deviceClass = linkedSignal(() => this.entry()?.spec.device_class ?? '');
  protected readonly watts = linkedSignal(() => numberText(this.entry()?.spec.watts));
  protected readonly price = linkedSignal(() => numberText(this.entry()?.spec.price));
  protected readonly note = linkedSignal(() => this.entry()?.spec.note ?? '');
  protected readonly attempt = new Attempt();

  protected readonly hostChoices = computed(() => {
    const found = new Map<string, { osds: number; arch: Set<string> }>();
    for (const osd of this.osds()) {
      const host = found.get(osd.host) ?? { osds: 0, arch: new Set<string>() };
      host.osds += 1;
      if (osd.arch) {
        host.arch.add(osd.arch);
      }
      found.set(osd.host, host);
    }
    for (const name of this.hosts()) {
      if (!found.has(name)) {
        found.set(name, { osds: 0, arch: new Set() });
      }
    }
    return [...found]
      .map(([name, { osds, arch }]) => ({ name, osds, arch: [...arch].join(', ') }))
      .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  });
  protected readonly classChoices = computed(() =>
    [
      ...new Set([
        ...this.osds().flatMap((osd) => osd.device_class ?? []),
        ...(this.deviceClass() ? [this.deviceClass()] : []),
      ]),
    ].sort(),
  );
  protected readonly chosen = computed(
    () =>
      this.osds().filter(
        (osd) =>
          (!this.hosts().length || this.hosts().includes(osd.host)) &&
          (!this.deviceClass() || osd.device_class === this.deviceClass()),
      ).length,
  );
  protected readonly nameProblem = computed(() =>
    this.name() && !NAME.test(this.name())
      ? $localize`Use a–z, 0–9, “-” and “_”, at most 32 characters.`
      : '',
  );
  protected readonly wattsProblem = computed(() => amountProblem(this.watts()));
  protected readonly priceProblem = computed(() => amountProblem(this.price()));
  protected readonly valid = computed(
    () =>
      NAME.test(this.name()) &&
      (this.hosts().length > 0 || !!this.deviceClass()) &&
      !this.wattsProblem() &&
      !this.priceProblem(),
  );

  protected toggleHost(name: string): void {
    const hosts = this.hosts();
    this.hosts.set(hosts.includes(name) ? hosts.filter((host) => host !== name) : [...hosts, name]);
  }

  protected text(event: Event): string {
    return this.typed(event).trim();
  }

  /** Return what is typed, where a space may be followed by more. */
  protected typed(event: Event): string {
    return (event.target as HTMLInputElement).value;
  }

  protected async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (!this.valid() || this.attempt.busy()) {
      return;
    }
    const change: GroupChange = {
      ...(this.hosts().length ? { hosts: this.hosts() } : {}),
      ...(this.deviceClass() ? { device_class: this.deviceClass() } : {}),
      ...(this.watts() ? { watts: numberOf(this.watts()) } : {}),
      ...(this.price() ? { price: numberOf(this.price()) } : {}),
      ...(this.note().trim() ? { note: this.note().trim() } : {}),
    };
    await this.attempt.at(async () => {
      if (this.entry()) {
        await this.api.changeGroup(this.name(), change);
      } else {
        await this.api.createGroup(this.name(), change);
      }
      this.saved.emit();
    });
  }
}

/** Say where a power or a price as it was typed is no number; of others the API says more. */
function amountProblem(text: string): string {
  return faultOf({ key: '', label: '', number: 'float' }, text);
}

function numberText(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}
