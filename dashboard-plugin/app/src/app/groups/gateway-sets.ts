import { ChangeDetectionStrategy, Component, inject, input, output, signal } from '@angular/core';
import { Api } from '../core/api';
import { Attempt } from '../core/attempt';
import { choice } from '../core/choice';
import { Live } from '../core/live';
import { GatewaySet } from '../models/group';
import { Confirm } from '../shared/confirm';
import { Heads } from '../shared/heads';
import { SecretField } from '../shared/secret-fields';
import { SecretSetting } from '../shared/secret-setting';
import { ScrollHint } from '../shared/scroll-hint';

const FIELDS: readonly SecretField[] = [
  {
    name: 'endpoints',
    label: $localize`Addresses, with commas`,
    placeholder: 'http://node1:8080,http://node2:8080',
  },
  { name: 'access_key', label: $localize`Access key` },
  { name: 'secret_key', label: $localize`Secret key`, hidden: true },
  { name: 'placement', label: $localize`Placement target`, optional: true },
  {
    name: 'dns_name',
    label: $localize`DNS name in which buckets are hosts`,
    placeholder: 's3.example.com',
    optional: true,
  },
  { name: 'region', label: $localize`Region`, placeholder: 'us-east-1', optional: true },
  { name: 'ca', label: $localize`Certificate of the CA, as PEM`, lines: true, optional: true },
];

/** List the S3 gateways of an operator; set and forget them. */
@Component({
  selector: 'pc-gateway-sets',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Confirm, Heads, ScrollHint, SecretSetting],
  template: `<section class="card" aria-labelledby="gateways-title">
      <h2 id="gateways-title" i18n>S3 gateways of your own</h2>
      <p class="muted" i18n>
        S3 loads start gateways of their own, unless they are told to use these. Keys are kept by
        the monitors and never shown.
      </p>
      @if (!sets()) {
        <p class="warn-text" i18n>Not available</p>
      }
      @if (sets()?.length) {
        <div class="scroll-x" tabindex="0" role="group" aria-labelledby="gateways-title">
          <table class="data">
            <thead>
              <tr pcHeads="Group|Addresses|DNS name|Placement|Region|CA|.Actions" i18n-pcHeads></tr>
            </thead>
            <tbody>
              @for (set of sets(); track set.group) {
                <tr>
                  <th scope="row">{{ set.group }}</th>
                  <td>{{ set.endpoints.join(', ') }}</td>
                  <td>{{ set.dns_name || '–' }}</td>
                  <td>{{ set.placement || '–' }}</td>
                  <td>{{ set.region }}</td>
                  <td>{{ set.own_ca ? given : '–' }}</td>
                  <td class="right nowrap">
                    @if (live.may('delete')) {
                      <button
                        type="button"
                        class="button button-quiet button-small"
                        (click)="forgetting.set(set.group)"
                      >
                        <ng-container i18n>Forget…</ng-container
                        ><span class="visually-hidden"> {{ set.group }}</span>
                      </button>
                    }
                  </td>
                </tr>
              }
            </tbody>
          </table>
        </div>
      }
      <pc-secret-setting
        prefix="gateways-"
        action="Set gateways of a group"
        i18n-action
        [(open)]="setting"
        [allowed]="live.may('update') && groups().length > 0"
        [fields]="fields"
        [attempt]="attempt"
        (given)="save($event)"
      >
        <div above class="field">
          <label for="gateways-group" i18n>Group</label>
          <select id="gateways-group" (change)="group.set(value($event))">
            @for (name of groups(); track name) {
              <option [value]="name" [selected]="name === group()">{{ name }}</option>
            }
          </select>
        </div>
      </pc-secret-setting>
    </section>
    @if (forgetting(); as name) {
      <pc-confirm
        title="Forget the gateways?"
        i18n-title
        action="Forget"
        i18n-action
        [busy]="attempt.busy()"
        (confirmed)="forget()"
        (cancelled)="forgetting.set('')"
      >
        <p i18n>
          Addresses and keys of the gateways of {{ name }} are forgotten. The gateways stay as they
          are.
        </p>
      </pc-confirm>
    }`,
})
export class GatewaySets {
  private readonly api = inject(Api);
  protected readonly live = inject(Live);
  /** null: they could not be had. */
  readonly sets = input.required<readonly GatewaySet[] | null>();
  /** Names of the groups that gateways can serve. */
  readonly groups = input.required<readonly string[]>();
  readonly changed = output();
  protected readonly fields = FIELDS;
  protected readonly given = $localize`given`;
  protected readonly attempt = new Attempt();
  protected readonly setting = signal(false);
  protected readonly forgetting = signal('');
  protected readonly group = choice(() => this.groups().map((key) => ({ key })));

  protected async save({ endpoints, ...rest }: Record<string, string>): Promise<void> {
    await this.attempt.at(async () => {
      const body = { ...rest, endpoints: endpoints.split(/[\s,]+/).filter(Boolean) };
      await this.api.setGateways(this.group(), body);
      this.setting.set(false);
      this.changed.emit();
    });
  }

  protected async forget(): Promise<void> {
    await this.attempt.at(async () => {
      await this.api.removeGateways(this.forgetting());
      this.changed.emit();
    });
    this.forgetting.set('');
  }

  protected value(event: Event): string {
    return (event.target as HTMLSelectElement).value;
  }
}
