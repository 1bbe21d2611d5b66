import { run } from '../../testing/fixtures';
import { factsOf, isForeign, placementOf } from './run-facts';

describe('facts of a run', () => {
  it('are those of its plan', () => {
    const { run: one } = run();
    const facts = factsOf(one);
    expect(isForeign(one)).toBe(false);
    expect(facts.rounds).toBe(`${one.plan.profile.rounds} and a conditioning round`);
    expect(facts.pools).toContain(`size ${one.plan.size}, `);
    expect(facts.seed).toBe(String(one.plan.seed));
    expect(placementOf(one.plan.groups[0]).osds).toBe(String(one.plan.groups[0].osds.length));
  });

  it('of another tool are only those that its file has', () => {
    const { run: one } = run();
    const { plan } = one;
    const group = { ...plan.groups[0], hosts: [], osds: [], device_class: null };
    const profile = { ...plan.profile, rounds: 8 };
    const blocks = plan.blocks.filter((block) => block.round > 0);
    const none = { size: 0, min_size: 0, seed: 0, bytes_written: 0, client_host: '', seconds: 0 };
    const imported = {
      ...one,
      origin: 'import:warp',
      fsid: '',
      ceph_version: '',
      plan: { ...plan, ...none, profile, blocks, groups: [group] },
    };
    expect(isForeign(imported)).toBe(true);
    const { rounds, ...others } = factsOf(imported);
    expect(rounds).toBe('8');
    expect(new Set(Object.values(others))).toEqual(new Set(['not recorded']));
    expect(new Set(Object.values(placementOf(group)))).toEqual(new Set(['not recorded']));
  });

  it('of a run of ours that was imported are all there', () => {
    const { run: one } = run();
    expect(isForeign({ ...one, origin: 'import:6d2f', fsid: '6d2f' })).toBe(false);
  });
});
