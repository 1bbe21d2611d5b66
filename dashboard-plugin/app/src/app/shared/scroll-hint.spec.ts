import { Component } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { settle } from '../../testing/stage';
import { ScrollHint } from './scroll-hint';

@Component({
  imports: [ScrollHint],
  template: `<div class="scroll-x"></div>`,
})
class Page {}

describe('ScrollHint', () => {
  /** Show a box whose content is so wide, and return it with its hint. */
  async function shown(scrollWidth: number): Promise<[HTMLElement, HTMLElement]> {
    const fixture = TestBed.createComponent(Page);
    const box: HTMLElement = fixture.nativeElement.querySelector('.scroll-x');
    Object.defineProperties(box, {
      clientWidth: { value: 300 },
      scrollWidth: { value: scrollWidth },
    });
    await settle(fixture);
    return [box, fixture.nativeElement.querySelector('.scroll-hint')];
  }

  it('is not there where all can be seen', async () => {
    const [, hint] = await shown(300);
    expect(hint.hidden).toBe(true);
  });

  it('keeps its place when the end is reached', async () => {
    const [box, hint] = await shown(800);
    expect(hint.hidden).toBe(false);
    expect(hint.style.visibility).toBe('');
    box.scrollLeft = 500;
    box.dispatchEvent(new Event('scroll'));
    expect(hint.hidden).toBe(false);
    expect(hint.style.visibility).toBe('hidden');
    box.scrollLeft = 0;
    box.dispatchEvent(new Event('scroll'));
    expect(hint.style.visibility).toBe('');
  });
});
