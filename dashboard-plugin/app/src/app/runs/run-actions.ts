import {
  ChangeDetectionStrategy,
  Component,
  ElementRef,
  computed,
  inject,
  input,
  output,
  signal,
  viewChild,
} from '@angular/core';
import { Api } from '../core/api';
import { asApiError } from '../core/api-error';
import { download } from '../core/download';
import { Live } from '../core/live';
import { RunState, hasEnded } from '../models/run';
import { Confirm } from '../shared/confirm';
import { Link } from '../shared/link';
import { Menu } from '../shared/menu';

type Asked = 'cancel' | 'stop' | 'delete';

interface Question {
  title: string;
  action: string;
  text: string;
}

const QUESTIONS: Record<Asked, (run: string) => Question> = {
  cancel: (run) => ({
    title: $localize`Cancel the run?`,
    action: $localize`Cancel the run`,
    text: $localize`Run ${run} ends its load and removes its pools, rules and keys. Trials that are complete stay stored and can be compared.`,
  }),
  stop: () => ({
    title: $localize`Stop the load now?`,
    action: $localize`Stop the load`,
    text: $localize`The load of the active run is killed at once; then everything that it made in the cluster is removed.`,
  }),
  delete: (run) => ({
    title: $localize`Delete the results?`,
    action: $localize`Delete`,
    text: $localize`All results of run ${run} are deleted from the cluster, raw samples included. Export the run first if you may need them.`,
  }),
};

/** Offer what can be done with a run, and ask before what ends it. */
@Component({
  selector: 'pc-run-actions',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Confirm, Link, Menu],
  templateUrl: './run-actions.html',
})
export class RunActions {
  private readonly api = inject(Api);
  protected readonly live = inject(Live);
  readonly id = input.required<string>();
  readonly state = input.required<RunState>();
  readonly changed = output();
  readonly removed = output();

  protected readonly ended = computed(() => hasEnded(this.state()));
  protected readonly asked = signal<Asked | null>(null);
  protected readonly question = computed(() => {
    const asked = this.asked();
    return asked && QUESTIONS[asked](this.id());
  });
  protected readonly busy = signal(false);
  protected readonly problem = signal('');
  private readonly menu = viewChild.required<ElementRef<HTMLDetailsElement>>('menu');

  protected ask(what: Asked): void {
    this.menu().nativeElement.open = false;
    this.problem.set('');
    this.asked.set(what);
  }

  protected async confirm(): Promise<void> {
    const what = this.asked();
    await this.attempt(async () => {
      if (what === 'cancel') {
        await this.api.cancel(this.id());
      } else if (what === 'stop') {
        await this.api.stopNow();
      } else {
        await this.api.removeRun(this.id());
      }
      this.asked.set(null);
      await this.live.refresh();
      if (what === 'delete') {
        this.removed.emit();
      }
      this.changed.emit();
    });
  }

  protected async save(): Promise<void> {
    this.menu().nativeElement.open = false;
    await this.attempt(async () => {
      const text = await this.api.exportRun(this.id());
      download(`perfcompare-${this.id()}.json`, text, 'application/json');
    });
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    this.busy.set(true);
    this.problem.set('');
    try {
      await work();
    } catch (error) {
      this.problem.set(asApiError(error).message);
    } finally {
      this.busy.set(false);
    }
  }
}
