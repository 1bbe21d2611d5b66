import { Component, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { answers } from '../../testing/fixtures';
import { Stage, button, settle } from '../../testing/stage';
import { Confirm } from './confirm';
import { ItemActions } from './item-actions';

@Component({
  imports: [Confirm, ItemActions],
  template: `
    <button type="button" (click)="open.set(true)">Plain</button>
    <pc-actions kind="run" id="0a1b2c3d" [ended]="true" />
    @if (open()) {
      <pc-confirm title="Sure?" action="Yes" (cancelled)="open.set(false)" />
    }
  `,
})
class Page {
  readonly open = signal(false);
}

describe('Confirm', () => {
  const { showModal } = HTMLDialogElement.prototype;

  beforeEach(() => {
    new Stage(answers());
    HTMLDialogElement.prototype.showModal = function () {
      this.open = true;
    };
  });
  afterEach(() => {
    HTMLDialogElement.prototype.showModal = showModal;
    vi.unstubAllGlobals();
    document.body.replaceChildren();
  });

  async function asked(name: string) {
    const fixture = TestBed.createComponent(Page);
    const root: HTMLElement = fixture.nativeElement;
    document.body.append(root);
    root.querySelectorAll('details').forEach((menu) => (menu.open = true));
    await settle(fixture);
    const opener = button(root, name);
    opener.focus();
    opener.click();
    await settle(fixture);
    const no = button(root.querySelector('dialog') as HTMLElement, 'Back');
    no.focus();
    expect(document.activeElement).toBe(no);
    const answer = async () => {
      no.click();
      await settle(fixture);
      expect(root.querySelector('dialog')).toBeNull();
      return document.activeElement;
    };
    return { root, opener, answer };
  }

  it('gives the focus back to what it was opened by', async () => {
    const { opener, answer } = await asked('Plain');
    expect(await answer()).toBe(opener);
  });

  it('gives it to the button of the menu that it was chosen in', async () => {
    const { root, answer } = await asked('Delete…');
    expect(await answer()).toBe(root.querySelector('summary'));
  });

  it('leaves it where what opened it is gone', async () => {
    const { opener, answer } = await asked('Plain');
    opener.remove();
    expect(await answer()).toBe(document.body);
  });
});
