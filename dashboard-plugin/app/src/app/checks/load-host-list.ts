import { NgTemplateOutlet } from '@angular/common';
import { ChangeDetectionStrategy, Component, inject, signal } from '@angular/core';
import { Api } from '../core/api';
import { Attempt } from '../core/attempt';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { poll } from '../core/polling';
import { formatBytes, formatClock, formatDuration } from '../core/units';
import { LoadHost, LoadHostCheck } from '../models/load-host';
import { Confirm } from '../shared/confirm';
import { Heads } from '../shared/heads';
import { ErrorMessage } from '../shared/message';
import { ScrollHint } from '../shared/scroll-hint';

const DISABLED = 'disabled';
const PAUSE = 15_000; // milliseconds between two looks at all hosts

/** List load hosts: look at one, disable and enable it, shut it out. */
@Component({
  selector: 'pc-load-host-list',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Confirm, ErrorMessage, Heads, NgTemplateOutlet, ScrollHint],
  templateUrl: './load-host-list.html',
})
export class LoadHostList {
  private readonly api = inject(Api);
  protected readonly live = inject(Live);
  protected readonly hosts = new Loader<LoadHost[]>();
  protected readonly checked = new Loader<LoadHostCheck>();
  protected readonly attempt = new Attempt();
  protected readonly removing = signal('');
  protected readonly disabling = signal('');
  protected readonly memory = formatBytes;

  constructor() {
    poll(
      () => this.load(),
      () => PAUSE,
    );
  }

  protected load(): Promise<void> {
    return this.hosts.load((signal) => this.api.loadHosts(signal));
  }

  protected async check(host: string): Promise<void> {
    this.checked.clear();
    await this.checked.load((signal) => this.api.checkLoadHost(host, signal));
    // a look at a host tells of its state, too
    await this.load();
  }

  protected enabled({ state }: LoadHost): boolean {
    return state !== DISABLED;
  }

  /** Enable a host, or ask whether to disable it. */
  protected async toggle(host: LoadHost): Promise<void> {
    if (this.enabled(host)) {
      this.disabling.set(host.host);
    } else {
      await this.enable(host.host, true);
    }
  }

  protected async disable(): Promise<void> {
    await this.enable(this.disabling(), false);
    this.disabling.set('');
  }

  private async enable(host: string, enabled: boolean): Promise<void> {
    await this.attempt.at(async () => {
      await this.api.enableLoadHost(host, enabled);
      await this.load();
    });
  }

  protected async remove(): Promise<void> {
    await this.attempt.at(async () => {
      await this.api.removeLoadHost(this.removing());
      this.checked.clear();
      await this.load();
    });
    this.removing.set('');
  }

  protected seen({ seen }: LoadHost): string {
    return seen === null ? '–' : $localize`${formatDuration(seen)} ago`;
  }

  /** Return those that some loads need, with versions, which may have their names. */
  protected programs({ programs }: LoadHost): string {
    const found = Object.entries(programs ?? {}).map(([name, version]) =>
      version.startsWith(name) ? version : `${name} ${version}`,
    );
    return found.join(', ') || '–';
  }

  /** Return how far its clock is ahead, and how well that is known. */
  protected clock({ clock_offset: behind, clock_bound: bound }: LoadHost): string {
    return formatClock(behind === null ? null : -behind, bound);
  }
}
