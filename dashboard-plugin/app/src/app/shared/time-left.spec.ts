import { active } from '../../testing/fixtures';
import { Progress } from '../models/run';
import { leftText, timeLeft } from './time-left';

const told = (part: Partial<Progress>): [string, string] => {
  const now = { ...(active().progress as Progress), ...part };
  return [timeLeft(now), leftText(now)];
};

describe('the time that is left', () => {
  it('is a range, or one figure', () => {
    expect(told({ eta: 380, eta_least: 42 })).toEqual([
      '50 s to 6 min 20 s',
      '50 s to 6 min 20 s left',
    ]);
    for (const eta_least of [297, null]) {
      expect(told({ eta: 300, eta_least })).toEqual(['about 5 min', 'about 5 min left']);
    }
  });

  it('is no figure where it takes longer, and at the end', () => {
    expect(told({ eta: null })).toEqual(['longer than estimated', 'longer than estimated']);
    expect(told({ fraction: 1 })).toEqual(['cleaning up', 'cleaning up']);
    expect(told({ state: 'finishing' })[1]).toBe('cleaning up');
  });
});
