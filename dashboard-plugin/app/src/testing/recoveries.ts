/** Recoveries as the API tells of them. */

import { Recovery, RecoveryDetail, RecoveryList, Timeline } from '../app/models/recovery';

const START = 1795195000;

export function timeline(scope: string, clean: number): Timeline {
  const reached = (after: number) => ({
    fate: 'reached' as const,
    at: START + after,
    accuracy: 0.5,
    source: 'osd map',
  });
  return {
    scope,
    began: START,
    ended: START + clean,
    marks: {
      t0: reached(0),
      t1: reached(3),
      t4: { fate: 'skipped', at: null, accuracy: null, source: '' },
      t5: reached(clean),
    },
    phases: [
      {
        phase: 'moving',
        began: START + 3,
        span: { seconds: clean - 3, accuracy: 1, censored: false },
        bytes_recovered: 2 ** 30,
        objects_recovered: 256,
        bytes_per_s: 1e8,
        objects_per_s: 20,
        degraded_share: null,
        misplaced_share: 0.25,
        client: { write_ops_per_s: 120 },
      },
    ],
    size: { pgs: 32, degraded: 0, misplaced: 90, bytes_recovered: 2 ** 30 },
    states: { backfilling: 4 },
    events: [{ at: START + 1.5, text: 'osd.1 out' }],
    notes: [],
  };
}

const step = (group: string, clean: number) => ({
  group,
  repetition: 1,
  index: 0,
  kind: 'move',
  title: 'PGs moved',
  target: '',
  timeline: timeline(group, clean),
  client: {},
  notes: [],
});

export function recovery(): RecoveryDetail {
  const item: Recovery = {
    id: '7a7b7c7d',
    state: 'completed',
    ended: START + 60,
    origin: 'cli',
    notes: [],
    created: START,
    scenario: 'backfill',
    groups: ['x86', 'arm'],
    reason: '',
    settings: {
      rules: [
        {
          rule: 'PG_DEGRADED',
          threshold: 'the warning is new; looked at, but never ends this test',
          worst: 'PG_DEGRADED',
          fired: false,
        },
      ],
    },
    steps: [step('arm', 42), step('x86', 21)],
  };
  return {
    kind: 'test',
    item,
    series: ['x86/1/0/cluster', 'arm/1/0/cluster', 'arm/1/0/client'],
    tables: [
      {
        title: 'Clients',
        header: ['FIGURE', 'PHASE', 'x86', 'arm', 'RATIO', 'VERDICT'],
        rows: [['read', 'no failure', '100 op/s', '50 op/s', '0.500', '-']],
        right: [2, 3, 4],
      },
    ],
    notes: [
      { text: 'osd_max_backfills differs: arm 4, x86 1', warns: false },
      { text: 'arm, repetition 1, OSD started: noout stays: set by others', warns: true },
    ],
  };
}

export function recoveries(): RecoveryList {
  const brief = (group: string, seconds: number) => ({
    group,
    clean: { seconds, censored: false },
    way: 'backfill',
  });
  return {
    observer: { enabled: true, state: 'watching', episode: '' },
    current: null,
    items: [
      {
        id: '7a7b7c7d',
        kind: 'test',
        state: 'completed',
        ended: true,
        began: START,
        title: 'backfill',
        groups: [brief('x86', 18), brief('arm', 39)],
        bytes: 4096,
        origin: 'cli',
      },
    ],
    total: 1,
    offset: 0,
  };
}
