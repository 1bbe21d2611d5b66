import { TestBed } from '@angular/core/testing';
import { settle, text } from '../../testing/stage';
import { RuleValue } from '../models/run';
import { AbortRules } from './abort-rules';

const RULES: RuleValue[] = [
  { rule: 'OSD_DOWN', threshold: 'any further OSD down or out', worst: 'none', fired: false },
  { rule: 'ERROR_BUDGET', threshold: 'more than 0.10%', worst: '50 of 100050', fired: false },
];

async function shown(rules: RuleValue[]) {
  const fixture = TestBed.createComponent(AbortRules);
  fixture.componentRef.setInput('rules', rules);
  await settle(fixture);
  const root: HTMLElement = fixture.nativeElement;
  return { root, rows: [...root.querySelectorAll('tbody tr')].map(text) };
}

describe('AbortRules', () => {
  it('say what each rule saw, and stay folded while none fired', async () => {
    const { root, rows } = await shown(RULES);
    expect(rows[1]).toMatch(/^ERROR_BUDGET more than 0.10% ?50 of 100050$/);
    expect(root.querySelector('details')?.open).toBe(false);
  });

  it('name the one that fired', async () => {
    const { root, rows } = await shown([{ ...RULES[0], fired: true }, RULES[1]]);
    expect(rows[0]).toContain('fired');
    expect(rows[1]).not.toContain('fired');
    expect(root.querySelector('details')?.open).toBe(true);
  });

  it('are not there where nothing is recorded of them', async () => {
    expect((await shown([])).root.querySelector('section')).toBeNull();
  });
});
