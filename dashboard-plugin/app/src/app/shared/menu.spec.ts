import { Component } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { settle } from '../../testing/stage';
import { Menu } from './menu';

@Component({
  imports: [Menu],
  template: `<details pcMenu>
    <summary>Actions</summary>
    <div class="menu-body"></div>
  </details>`,
})
class Page {}

describe('Menu', () => {
  let top = 0;

  async function open(): Promise<HTMLDetailsElement> {
    top = 100;
    const fixture = TestBed.createComponent(Page);
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
