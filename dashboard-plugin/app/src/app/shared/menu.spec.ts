import { Component } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { settle } from '../../testing/stage';
import { Menu } from './menu';

@Component({
  imports: [Menu],
  template: `<details pcMenu>
    <summary>Actions</summary>
    <div class="menu-body" [class.menu-form]="form"></div>
  </details>`,
})
class Page {
  form = false;
}

describe('Menu', () => {
  let top = 0;

  async function open(form = false): Promise<HTMLDetailsElement> {
    top = 100;
    const fixture = TestBed.createComponent(Page);
    fixture.componentInstance.form = form;
    await settle(fixture);
    const details: HTMLDetailsElement = fixture.nativeElement.querySelector('details');
    details.getBoundingClientRect = () => new DOMRect(20, top, 80, 30);
    details.open = true;
    details.dispatchEvent(new Event('toggle'));
    return details;
  }

  it('stays open when a scroll comes that was due before', async () => {
    const details = await open();
    window.dispatchEvent(new Event('scroll'));
    expect(details.open).toBe(true);
  });

  it('closes when the page moves under it', async () => {
    const details = await open();
    top = 60;
    window.dispatchEvent(new Event('scroll'));
    expect(details.open).toBe(false);
  });

  it('follows the page with a form, whose choices move what is below', async () => {
    const details = await open(true);
    const body = details.querySelector('.menu-body') as HTMLElement;
    expect(body.style.top).toBe('132px');
    top = 60;
    window.dispatchEvent(new Event('scroll'));
    expect(details.open).toBe(true);
    expect(body.style.top).toBe('92px');
  });

  it('closes by Escape and by a click elsewhere', async () => {
    for (const event of [
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }),
      new MouseEvent('click', { bubbles: true }),
    ]) {
      const details = await open();
      (event.type === 'click' ? document.body : details).dispatchEvent(event);
      expect(details.open).toBe(false);
    }
  });
});
