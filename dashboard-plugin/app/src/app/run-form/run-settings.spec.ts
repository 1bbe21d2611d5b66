import { options, profiles, run } from '../../testing/fixtures';
import { toRequest } from '../plan-form/settings';
import { formOf, runSettings } from './run-settings';

describe('toRequest', () => {
  it('sends only what was filled in', () => {
    const form = { groups: ['a'], sizes: '4K, 4M', rounds: '6', pg_num: ' ', control: false };
    expect(toRequest(form, runSettings(options(), undefined, form), false)).toEqual({
      groups: ['a'],
      sizes: ['4K', '4M'],
      rounds: 6,
    });
  });

  it('drops nothing that is filled in, and shows it', () => {
    const form = { groups: ['a'], gateways: '2', prefill: '10G', s3_tls: true };
    const [s3] = profiles().filter((item) => item.workloads.some(({ op }) => op === 's3-get'));
    for (const profile of [s3, undefined]) {
      const settings = runSettings(options(), profile, form);
      expect(toRequest(form, settings, true)).toEqual({ ...form, gateways: 2, consent: true });
    }
    const plain = runSettings(options(), undefined, { groups: ['a'] });
    expect(plain.some(({ key }) => key === 'gateways')).toBe(false);
  });

  it('repeats each option of a run', () => {
    const former = run().run;
    const given: Record<string, unknown> = { workloads: ['s3-get'], rate: 50, part_streams: 2 };
    former.plan.options = { ...former.plan.options, ...given } as typeof former.plan.options;
    const form = formOf(former, options());
    const request = toRequest(form, runSettings(options(), undefined, form), false);
    expect(request).toMatchObject(given);
  });

  it('repeats curves without a limit as such, whatever limit their profile has', () => {
    const former = run().run;
    const repeated = (curve: string | null, slo: string | null) => {
      former.plan.options = { ...former.plan.options, curve, slo };
      return formOf(former, options())['slo'];
    };
    expect(repeated('1..64', null)).toBe('none');
    expect(repeated('1..64', 'p99=10ms')).toBe('p99=10ms');
    expect(repeated(null, null)).toBeFalsy();
  });
});
