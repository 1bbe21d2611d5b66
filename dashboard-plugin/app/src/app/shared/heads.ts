import { Directive, ElementRef, effect, inject, input } from '@angular/core';

const CLASSES: Record<string, string> = { '>': 'right', '<': 'text' };

/**
 * Fill the head of a table: texts with '|' between them. One that begins
 * with '>' or '<' is aligned so; one that begins with '.' is not shown.
 */
@Directive({ selector: 'tr[pcHeads]' })
export class Heads {
  readonly pcHeads = input.required<string>();

  constructor() {
    const row = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
    effect(() => row.replaceChildren(...this.pcHeads().split('|').map(cell)));
  }
}

function cell(text: string): HTMLElement {
  const head = document.createElement('th');
  head.scope = 'col';
  const [mark] = text;
  const plain = text.replace(/^[<>.]/, '');
  if (mark === '.') {
    const hidden = head.appendChild(document.createElement('span'));
    hidden.className = 'visually-hidden';
    hidden.textContent = plain;
  } else {
    head.className = CLASSES[mark] ?? '';
    head.textContent = plain;
  }
  return head;
}
