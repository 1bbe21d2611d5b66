import { ChangeDetectionStrategy, Component, inject, input, output, signal } from '@angular/core';
import { Api, Kind } from '../core/api';
import { Attempt } from '../core/attempt';
import { Confirm } from './confirm';
import { Link } from './link';

const TOOLS = ['auto', 'warp', 'cosbench', 'fio', 'elbencho', 'vdbench', 'cbt', 'csv', 'json'];

/** Store a file that was exported, or what another tool measured. */
@Component({
  selector: 'pc-import',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Confirm, Link],
  template: `<button type="button" class="button button-quiet" (click)="show(true)" i18n>
      Import…
    </button>
    @if (open()) {
      <pc-confirm
        title="Import results"
        i18n-title
        action="Import"
        i18n-action
        [danger]="false"
        [busy]="attempt.busy()"
        (confirmed)="store(file, tool, group, label)"
        (cancelled)="show(false)"
      >
        <div class="field">
          <label for="import-file" i18n>File</label>
          <input #file id="import-file" type="file" />
        </div>
        <div [hidden]="kind() !== 'run'">
          <div class="field">
            <label for="import-tool" i18n>Written by</label>
            <select #tool id="import-tool">
              @for (name of tools; track name) {
                <option>{{ name }}</option>
              }
            </select>
          </div>
          <div class="field">
            <label for="import-group" i18n>Group, if the file names none</label>
            <input #group id="import-group" type="text" />
          </div>
          <div class="field">
            <label for="import-label" i18n>Label</label>
            <input #label id="import-label" type="text" />
          </div>
        </div>
        @if (attempt.problem()) {
          <p class="notice notice-error" role="alert">{{ attempt.problem() }}</p>
        }
      </pc-confirm>
    } @else if (attempt.busy()) {
      <p class="notice small" role="status" i18n>The file is being imported…</p>
    } @else if (attempt.problem()) {
      <div class="notice notice-error" role="alert">{{ attempt.problem() }}</div>
    }
    @if (stored(); as id) {
      <div class="notice notice-ok" role="status">
        <ng-container i18n>Imported:</ng-container>&ngsp;
        <a [pcLink]="(kind() === 'run' ? '/runs/' : '/recoveries/') + id">{{ id }}</a>
      </div>
    }`,
})
export class Import {
  private readonly api = inject(Api);
  readonly kind = input.required<Kind>();
  readonly done = output();
  protected readonly tools = TOOLS;
  protected readonly open = signal(false);
  protected readonly attempt = new Attempt();
  protected readonly stored = signal('');

  /** Open the dialog, or close it; what is under way goes on, and is told of. */
  protected show(open: boolean): void {
    if (!this.attempt.busy()) {
      this.attempt.problem.set('');
    }
    this.open.set(open);
  }

  protected async store(
    file: HTMLInputElement,
    tool: HTMLSelectElement,
    group: HTMLInputElement,
    label: HTMLInputElement,
  ): Promise<void> {
    const chosen = file.files?.[0];
    if (!chosen) {
      this.attempt.problem.set($localize`Choose a file.`);
      return;
    }
    this.stored.set('');
    await this.attempt.at(async () => {
      const body: Record<string, string> = { text: await textOf(chosen) };
      if (this.kind() === 'run') {
        body['tool'] = tool.value;
        for (const field of [group, label]) {
          if (field.value.trim()) {
            body[field.id.slice(7)] = field.value.trim();
          }
        }
      }
      this.stored.set((await this.api.imported(this.kind(), body)).id);
      this.open.set(false);
      this.done.emit();
    });
  }
}

/** Return a file as the API takes it: as text, base64 if compressed. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return btoa(bytes.reduce((all, byte) => all + String.fromCharCode(byte), ''));
  }
}
