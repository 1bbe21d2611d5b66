import { ChangeDetectionStrategy, Component, computed, inject, signal } from '@angular/core';
import { Api } from '../core/api';
import { Attempt } from '../core/attempt';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { DoctorReport, Tool, UndoReport } from '../models/care';
import { Confirm } from '../shared/confirm';
import { Heads } from '../shared/heads';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { ExporterAccess } from './exporter-access';
import { LoadHostList } from './load-host-list';
import { ScrollHint } from '../shared/scroll-hint';

/** Show what `doctor` finds, and offer `cleanup`. */
@Component({
  selector: 'pc-checks-page',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Confirm, ErrorMessage, ExporterAccess, Heads, LoadHostList, Loading, ScrollHint],
  templateUrl: './checks-page.html',
})
export class ChecksPage {
  private readonly api = inject(Api);
  private readonly live = inject(Live);
  protected readonly doctor = new Loader<DoctorReport>();
  protected readonly cleanup = new Attempt();
  protected readonly undone = signal<UndoReport | null>(null);
  protected readonly asked = signal(false);
  protected readonly may = computed(() => this.live.may('update'));
  /** Tools that a run cannot do without, and that are not there. */
  protected readonly missing = computed(() =>
    (this.doctor.value()?.tools ?? []).filter((tool) => tool.required && tool.problem),
  );

  constructor() {
    void this.load();
  }

  protected load(): Promise<void> {
    return this.doctor.load((signal) => this.api.doctor(signal));
  }

  protected async clean(): Promise<void> {
    await this.cleanup.at(async () => this.undone.set(await this.api.cleanup()));
    this.asked.set(false);
    await this.live.refresh();
  }

  /** Return which package to install; '' where none is needed. */
  protected remedy({ problem, deb, rpm }: Tool): string {
    if (!problem || !deb) {
      return '';
    }
    return deb === rpm
      ? $localize`install the package ${deb}`
      : $localize`install ${deb} (Debian) or ${rpm} (RPM)`;
  }
}
