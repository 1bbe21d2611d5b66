import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  signal,
  untracked,
} from '@angular/core';
import { Api } from '../core/api';
import { asApiError } from '../core/api-error';
import { Attempt } from '../core/attempt';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { NEW } from '../core/path';
import { Router } from '../core/router';
import { formatBytes, formatPercent } from '../core/units';
import { Detection, GatewaySet, GroupChange, GroupEntry, GroupSpec, Osd } from '../models/group';
import { Command } from '../shared/command';
import { Confirm } from '../shared/confirm';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { GroupDetect } from './group-detect';
import { groupFacts } from './group-facts';
import { GatewaySets } from './gateway-sets';
import { GroupForm } from './group-form';
import { Heads } from '../shared/heads';
import { ScrollHint } from '../shared/scroll-hint';

/** What is shown; null is what could not be had, and `problems` say why. */
interface Found {
  groups: GroupEntry[];
  osds: Osd[] | null;
  gateways: GatewaySet[] | null;
  problems: string[];
}

const SHOWN_HOSTS = 6;

/** List groups and what they are made of; detect, set and remove them. */
@Component({
  selector: 'pc-group-list',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [
    Command,
    Confirm,
    ErrorMessage,
    GatewaySets,
    GroupDetect,
    GroupForm,
    Heads,
    Link,
    Loading,
    ScrollHint,
  ],
  templateUrl: './group-list.html',
})
export class GroupList {
  private readonly api = inject(Api);
  private readonly router = inject(Router);
  protected readonly live = inject(Live);
  /** '' for the list, NEW, or the name of the group that is edited. */
  readonly id = input('');

  protected readonly found = new Loader<Found>();
  protected readonly detected = signal<Detection | null>(null);
  protected readonly detecting = signal(false);
  protected readonly attempt = new Attempt();
  protected readonly removing = signal('');
  private readonly byId = computed(
    () => new Map((this.found.value()?.osds ?? []).map((osd) => [osd.id, osd])),
  );
  protected readonly lines = computed(() =>
    (this.found.value()?.groups ?? []).map((entry) => ({
      entry,
      facts: groupFacts(entry, this.byId()),
    })),
  );
  protected readonly names = computed(() =>
    (this.found.value()?.groups ?? []).map((entry) => entry.spec.name),
  );
  protected readonly editing = computed(() => {
    const name = this.id();
    return name && name !== NEW
      ? (this.found.value()?.groups.find((entry) => entry.spec.name === name) ?? null)
      : null;
  });
  protected readonly form = computed(() => this.id() === NEW || this.editing() !== null);
  protected readonly newPath = `/groups/${NEW}`;
  protected readonly bytes = formatBytes;
  protected readonly percent = formatPercent;

  constructor() {
    effect(() => {
      // a form writes a whole definition: it begins with the one that is set now
      this.id();
      this.attempt.problem.set('');
      untracked(() => void this.reload());
    });
  }

  protected async reload(): Promise<void> {
    await this.found.load(async (signal) => {
      const problems: string[] = [];
      const failed = (what: string) => (error: unknown) => {
        problems.push(`${what}: ${asApiError(error).message}`);
        return null;
      };
      const [groups, osds, gateways] = await Promise.all([
        this.api.groups(signal),
        this.api.osds(signal).catch(failed($localize`OSDs`)),
        this.api.gateways(signal).catch(failed($localize`S3 gateways of your own`)),
      ]);
      return { groups, osds, gateways, problems };
    });
  }

  protected hostsText(hosts: string[]): string {
    const rest = hosts.length - SHOWN_HOSTS;
    const text = hosts.slice(0, SHOWN_HOSTS).join(', ');
    return rest > 0 ? $localize`${text} and ${rest} more` : text;
  }

  protected async detect(): Promise<void> {
    await this.attempt.at(async () => {
      this.detected.set(await this.api.detectGroups());
    });
  }

  /** Set groups as they were shown: others may be detected by now. */
  protected async apply(specs: GroupSpec[]): Promise<void> {
    await this.attempt.at(async () => {
      const problems = new Set<string>();
      for (const { name, hosts, device_class } of specs) {
        const change: GroupChange = {
          ...(hosts.length ? { hosts } : {}),
          ...(device_class ? { device_class } : {}),
        };
        await this.api
          .createGroup(name, change)
          .catch((error: unknown) => problems.add(asApiError(error).message));
      }
      await this.reload();
      if (problems.size) {
        throw new Error([...problems].join('; '));
      }
      this.detected.set(null);
    });
  }

  protected async remove(): Promise<void> {
    await this.attempt.at(async () => {
      await this.api.removeGroup(this.removing());
      await this.reload();
    });
    this.removing.set('');
  }

  protected close(): void {
    this.router.navigate('/groups');
  }
}
