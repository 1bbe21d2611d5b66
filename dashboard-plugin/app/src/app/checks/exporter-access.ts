import { ChangeDetectionStrategy, Component, computed, inject, signal } from '@angular/core';
import { Api } from '../core/api';
import { Attempt } from '../core/attempt';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { ExporterList } from '../models/care';
import { Confirm } from '../shared/confirm';
import { Heads } from '../shared/heads';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { SecretField } from '../shared/secret-fields';
import { SecretSetting } from '../shared/secret-setting';
import { ScrollHint } from '../shared/scroll-hint';

const FIELDS: readonly SecretField[] = [
  { name: 'username', label: $localize`User of the exporters`, optional: true },
  { name: 'password', label: $localize`Password`, hidden: true, optional: true },
  { name: 'prometheus_username', label: $localize`User of Prometheus`, optional: true },
  { name: 'prometheus_password', label: $localize`Password`, hidden: true, optional: true },
  { name: 'ca', label: $localize`Certificate of the CA, as PEM`, lines: true, optional: true },
];

/** Show where figures of hosts come from; set and forget what that takes. */
@Component({
  selector: 'pc-exporter-access',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Confirm, ErrorMessage, Heads, Loading, ScrollHint, SecretSetting],
  template: `<section class="card" aria-labelledby="exporters-title">
      <h2 id="exporters-title" i18n>Exporters of host metrics</h2>
      @if (found.error(); as error) {
        <pc-error [error]="error" (retry)="load()" />
      } @else if (found.value(); as list) {
        <p class="muted" i18n>Source: {{ list.source }}. Access that is set: {{ access() }}.</p>
        <div class="scroll-x" tabindex="0" role="group" aria-labelledby="exporters-title">
          <table class="data">
            <thead>
              <tr pcHeads="Host|Roles|Address|Known by|State" i18n-pcHeads></tr>
            </thead>
            <tbody>
              @for (one of rows(); track $index) {
                <tr>
                  <th scope="row" class="nowrap">{{ one.host }}</th>
                  <td>{{ one.roles.join(', ') }}</td>
                  <td class="mono">{{ one.url }}</td>
                  <td>{{ one.origin }}</td>
                  <td>
                    @if (one.reachable === null) {
                      <ng-container i18n>not tried</ng-container>
                    } @else if (one.reachable) {
                      <ng-container i18n>answers</ng-container>
                    } @else {
                      <ng-container i18n>does not answer:</ng-container> {{ one.problem }}
                    }
                  </td>
                </tr>
              }
            </tbody>
          </table>
        </div>
        <pc-secret-setting
          prefix="exporters-"
          action="Set CA and credentials"
          i18n-action
          [(open)]="setting"
          [allowed]="live.may('update')"
          [fields]="fields"
          [attempt]="attempt"
          (given)="save($event)"
        >
          @if (isSet()) {
            <p above class="help" i18n>
              What is left empty stays as it is set. To take something away, forget all of it first.
            </p>
          }
          @if (live.may('delete') && isSet()) {
            <button type="button" class="button button-quiet" (click)="asked.set(true)" i18n>
              Forget them…
            </button>
          }
        </pc-secret-setting>
      } @else {
        <pc-loading />
      }
    </section>
    @if (asked()) {
      <pc-confirm
        title="Forget CA and credentials?"
        i18n-title
        action="Forget"
        i18n-action
        [busy]="attempt.busy()"
        (confirmed)="forget()"
        (cancelled)="asked.set(false)"
      >
        <p i18n>Exporters that ask for them will not be read any more.</p>
      </pc-confirm>
    }`,
})
export class ExporterAccess {
  private readonly api = inject(Api);
  protected readonly live = inject(Live);
  protected readonly found = new Loader<ExporterList>();
  protected readonly attempt = new Attempt();
  protected readonly setting = signal(false);
  protected readonly asked = signal(false);
  protected readonly fields = FIELDS;
  /** Each exporter of each host; who has further ones set is the option. */
  protected readonly rows = computed(() =>
    (this.found.value()?.exporters ?? []).flatMap(({ more, ...first }) => [
      first,
      ...more.map((one) => ({ ...first, origin: 'option', ...one })),
    ]),
  );
  private readonly names = computed(() => {
    const access = this.found.value()?.access;
    return [
      access?.ca ? $localize`CA` : '',
      access?.credentials ? $localize`credentials of exporters` : '',
      access?.prometheus_credentials ? $localize`credentials of Prometheus` : '',
    ].filter(Boolean);
  });
  protected readonly isSet = computed(() => this.names().length > 0);
  protected readonly access = computed(() => this.names().join(', ') || $localize`none`);

  constructor() {
    void this.load();
  }

  protected load(): Promise<void> {
    return this.found.load((signal) => this.api.exporters(signal));
  }

  protected async save(given: Record<string, string>): Promise<void> {
    await this.attempt.at(async () => {
      await this.api.setExporterAccess(given);
      this.setting.set(false);
      await this.load();
    });
  }

  protected async forget(): Promise<void> {
    await this.attempt.at(async () => {
      await this.api.removeExporterAccess();
      await this.load();
    });
    this.asked.set(false);
  }
}
