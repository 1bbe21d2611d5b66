import {
  ChangeDetectionStrategy,
  Component,
  effect,
  inject,
  input,
  signal,
  untracked,
} from '@angular/core';
import { Api } from '../core/api';
import { Attempt } from '../core/attempt';
import { Live } from '../core/live';
import { Loader } from '../core/loader';
import { NEW } from '../core/path';
import { Router } from '../core/router';
import { Profile } from '../models/run';
import { Confirm } from '../shared/confirm';
import { Heads } from '../shared/heads';
import { Link } from '../shared/link';
import { Loading } from '../shared/loading';
import { ErrorMessage } from '../shared/message';
import { ProfileForm } from './profile-form';
import { ScrollHint } from '../shared/scroll-hint';

/** List profiles; show, define, change and remove one's own. */
@Component({
  selector: 'pc-profiles-page',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Confirm, ErrorMessage, Heads, Link, Loading, ProfileForm, ScrollHint],
  templateUrl: './profiles-page.html',
})
export class ProfilesPage {
  private readonly api = inject(Api);
  private readonly router = inject(Router);
  protected readonly live = inject(Live);
  /** '' for the list, NEW, or the name of the profile that is shown. */
  readonly id = input('');
  protected readonly newPath = `/profiles/${NEW}`;
  protected readonly found = new Loader<Profile[]>();
  protected readonly attempt = new Attempt();
  protected readonly removing = signal('');

  constructor() {
    // what was saved in the form is in the list again
    effect(() => {
      if (!this.id()) {
        untracked(() => void this.load());
      }
    });
  }

  protected load(): Promise<void> {
    return this.found.load((signal) => this.api.profiles(signal));
  }

  protected close(): void {
    this.router.navigate('/profiles');
  }

  protected async remove(): Promise<void> {
    await this.attempt.at(async () => {
      await this.api.removeProfile(this.removing());
      await this.load();
    });
    this.removing.set('');
  }
}
