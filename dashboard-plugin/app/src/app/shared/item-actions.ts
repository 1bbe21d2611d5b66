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
import { Api, Kind } from '../core/api';
import { Attempt } from '../core/attempt';
import { download } from '../core/download';
import { Live } from '../core/live';
import { Confirm } from './confirm';
import { endingText, ownOsdsText } from './ending';
import { Link } from './link';
import { Menu } from './menu';

type Asked = 'cancel' | 'stop' | 'delete';

interface Question {
  title: string;
  action: string;
  text: string;
}

const QUESTIONS: Record<Kind, Record<Asked, (id: string) => Question>> = {
  run: {
    cancel: (run) => ({
      title: $localize`Cancel the run?`,
      action: $localize`Cancel the run`,
      text: $localize`Run ${run} ends its load and removes its pools, rules and keys. Trials that are complete stay stored and can be compared.`,
    }),
    stop,
    delete: (run) => ({
      title: $localize`Delete the results?`,
      action: $localize`Delete`,
      text: $localize`All results of run ${run} are deleted from the cluster, raw samples included. Export the run first if you may need them.`,
    }),
  },
  recovery: {
    cancel: (test) => ({
      title: $localize`Cancel the test?`,
      action: $localize`Cancel the test`,
      text: $localize`Recovery test ${test} ends its load, removes its pools and keys, and brings back what it took away. Steps that are complete stay stored.`,
    }),
    stop,
    delete: (recovery) => ({
      title: $localize`Delete the record?`,
      action: $localize`Delete`,
      text: $localize`All that was recorded of recovery ${recovery} is deleted. Export it first if you may need it.`,
    }),
  },
};

function stop(): Question {
  return {
    title: $localize`Stop the load now?`,
    action: $localize`Stop the load`,
    text: $localize`The load is killed at once, on load hosts in about a second; then everything that was made or changed in the cluster is taken back.`,
  };
}

function stopResuming(): Question {
  return {
    ...stop(),
    text: $localize`A former Manager made the load: what is left of it ends by itself, within worker_lease. Then everything that was made or changed in the cluster is taken back.`,
  };
}

/** Offer what can be done with a run or a recovery, and ask before what ends it. */
@Component({
  selector: 'pc-actions',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Confirm, Link, Menu],
  templateUrl: './item-actions.html',
})
export class ItemActions {
  private readonly api = inject(Api);
  protected readonly live = inject(Live);
  readonly id = input.required<string>();
  readonly kind = input.required<Kind>();
  readonly ended = input.required<boolean>();
  /** Whether it can be ended: a recovery that came by itself cannot. */
  readonly endable = input(true);
  readonly changed = output();
  readonly removed = output();

  protected readonly run = computed(() => this.kind() === 'run');
  protected readonly label = computed(() => $localize`Actions of ${this.id()}`);
  protected readonly asked = signal<Asked | null>(null);
  protected readonly question = computed(() => {
    const asked = this.asked();
    if (!asked) {
      return null;
    }
    const question =
      asked === 'stop' && this.resuming()
        ? stopResuming()
        : QUESTIONS[this.kind()][asked](this.id());
    const own = asked === 'delete' || this.run() ? '' : ownOsdsText();
    return { ...question, text: [question.text, own].join(' ').trim() };
  });
  /** Another Manager made the load: nobody kills it. */
  private readonly resuming = computed(() => {
    const now = this.live.progress();
    // which one it is may not be known yet
    return now?.state === 'resuming' && (now.run || this.id()) === this.id();
  });
  /** What was answered to who asked for its end. */
  protected readonly said = signal('');
  protected readonly attempt = new Attempt();
  private readonly menu = viewChild.required<ElementRef<HTMLDetailsElement>>('menu');

  /** Close the menu; what was chosen in it can have the focus no more, its button can. */
  private close(): void {
    const menu = this.menu().nativeElement;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  }

  protected ask(what: Asked): void {
    this.close();
    this.attempt.problem.set('');
    this.said.set('');
    this.asked.set(what);
  }

  protected async confirm(): Promise<void> {
    const what = this.asked();
    await this.attempt.at(async () => {
      if (what === 'cancel') {
        this.said.set(endingText(await this.api.cancel(this.kind(), this.id())));
      } else if (what === 'stop') {
        this.said.set(endingText(await this.api.stopNow(this.id())));
      } else {
        await this.api.remove(this.kind(), this.id());
      }
      this.asked.set(null);
      await this.live.refresh();
      (what === 'delete' ? this.removed : this.changed).emit();
    });
  }

  protected async save(): Promise<void> {
    this.close();
    await this.attempt.at(async () => {
      const text = await this.api.exported(this.kind(), this.id());
      const prefix = this.run() ? '' : 'recovery-';
      download(`perfcompare-${prefix}${this.id()}.json`, text, 'application/json');
    });
  }
}
