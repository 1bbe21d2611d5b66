import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  output,
  signal,
  untracked,
} from '@angular/core';
import { Api } from '../core/api';
import { Attempt } from '../core/attempt';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { NEW } from '../core/path';
import { Router } from '../core/router';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';

interface Source {
  /** YAML, '' for a profile from nothing. */
  text: string;
  builtin: boolean;
}

/** Show the YAML of a profile, and take another one for it. */
@Component({
  selector: 'pc-profile-form',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [ErrorMessage, Loading],
  template: `@if (source.error(); as error) {
      <pc-error [error]="error" (retry)="load(name())" />
    } @else if (source.value()) {
      <form class="card form" (submit)="save($event)" aria-labelledby="profile-title" novalidate>
        <h2 id="profile-title">{{ title() }}</h2>
        @if (isNew()) {
          <div class="field">
            <label for="profile-name" i18n>Name</label>
            <input
              id="profile-name"
              type="text"
              [value]="chosen()"
              (input)="chosen.set(value($event))"
            />
          </div>
        }
        <div class="field">
          <label for="profile-text" i18n>Workloads and rounds, as YAML</label>
          <textarea
            id="profile-text"
            class="mono"
            rows="18"
            spellcheck="false"
            [readOnly]="!editable()"
            [value]="text()"
            (input)="text.set(value($event))"
          ></textarea>
        </div>
        @if (attempt.problem()) {
          <div class="notice notice-error" role="alert">{{ attempt.problem() }}</div>
        }
        <div class="actions">
          @if (editable()) {
            <button
              type="submit"
              class="button"
              [disabled]="attempt.busy() || !chosen().trim() || !text().trim()"
              i18n
            >
              Save
            </button>
          }
          <button type="button" class="button button-quiet" (click)="cancelled.emit()" i18n>
            Back
          </button>
        </div>
      </form>
    } @else {
      <pc-loading />
    }`,
})
export class ProfileForm {
  private readonly api = inject(Api);
  private readonly live = inject(Live);
  private readonly router = inject(Router);
  /** NEW, or the name of the profile. */
  readonly name = input.required<string>();
  readonly saved = output();
  readonly cancelled = output();
  protected readonly source = new Loader<Source>();
  protected readonly attempt = new Attempt();
  protected readonly chosen = signal('');
  protected readonly text = signal('');
  protected readonly isNew = computed(() => this.name() === NEW);
  protected readonly title = computed(() =>
    this.isNew() ? $localize`New profile` : $localize`Profile ${this.name()}`,
  );
  protected readonly editable = computed(() =>
    this.isNew()
      ? this.live.may('create')
      : this.live.may('update') && !this.source.value()?.builtin,
  );

  constructor() {
    effect(() => {
      const name = this.name();
      untracked(() => void this.load(name));
    });
  }

  protected async load(name: string): Promise<void> {
    const from = name === NEW ? (this.router.query().get('from') ?? '') : name;
    await this.source.load(async (signal) => {
      if (!from) {
        return { text: '', builtin: false };
      }
      const [{ text }, profiles] = await Promise.all([
        this.api.profileText(from, signal),
        this.api.profiles(signal),
      ]);
      return { text, builtin: profiles.some((one) => one.name === from && one.builtin) };
    });
    this.chosen.set(name === NEW ? '' : name);
    this.text.set(this.source.value()?.text ?? '');
  }

  protected async save(event: Event): Promise<void> {
    event.preventDefault();
    await this.attempt.at(async () => {
      await this.api.saveProfile(this.chosen().trim(), this.text(), this.isNew());
      this.saved.emit();
    });
  }

  protected value(event: Event): string {
    return (event.target as HTMLInputElement).value;
  }
}
