/** A recovery test as the API tells of it: none takes minutes to be made. */

const START = 1795195000;
/** Seconds from t0 to t1, from which it is counted until all is clean. */
const DETECTED = 3;

const moment = (after) => ({
  fate: 'reached',
  at: START + after,
  accuracy: 0.5,
  source: 'osd map',
});

const step = (group, clean) => ({
  group,
  repetition: 1,
  index: 0,
  kind: 'move',
  title: 'PGs moved',
  target: '',
  client: {},
  notes: [],
  timeline: {
    scope: group,
    began: START,
    ended: START + clean,
    marks: { t0: moment(0), t1: moment(DETECTED), t5: moment(clean) },
    phases: [],
    size: { pgs: 32, degraded: 0, misplaced: 90, bytes_recovered: 2 ** 30 },
    states: {},
    events: [{ at: START + 1.5, text: 'osd.1 out' }],
    notes: [],
  },
});

const table = (title, group) => ({
  title,
  header: ['FIGURE', 'GROUP', 'VALUE'],
  rows: [['read', group, '100 op/s']],
  right: [2],
});

export const DETAIL = {
  kind: 'test',
  item: {
    id: '7a7b7c7d',
    state: 'completed',
    ended: START + 60,
    origin: 'cli',
    notes: [],
    created: START,
    scenario: 'backfill',
    groups: ['x86', 'arm'],
    reason: '',
    steps: [step('arm', 42), step('x86', 21)],
  },
  series: ['x86/1/0/cluster', 'arm/1/0/cluster'],
  tables: [table('Times', 'x86'), table('Phases', 'arm')],
  notes: [
    { text: 'osd_max_backfills differs: arm 4, x86 1', warns: false },
    { text: 'arm, repetition 1, PGs moved: given up', warns: true },
  ],
};

/** Seconds from t0 until all was clean, by group. */
const CLEAN = { x86: 21, arm: 42, old: 55 };
const GROUPS = Object.keys(CLEAN);

/** The same test of three groups, of which two are compared. */
export function ofThree([baseline, candidate]) {
  const [first, second] = [baseline, candidate].map(
    (group) => CLEAN[group] - DETECTED,
  );
  return {
    ...DETAIL,
    item: {
      ...DETAIL.item,
      groups: GROUPS,
      steps: GROUPS.map((group) => step(group, CLEAN[group])),
    },
    series: GROUPS.map((group) => `${group}/1/0/cluster`),
    tables: [
      {
        title: 'Times',
        header: ['FIGURE', baseline, candidate, 'RATIO'],
        rows: [['clean', `${first} s`, `${second} s`, `${second / first}`]],
        right: [1, 2, 3],
      },
    ],
  };
}

/** What was misplaced, until all was clean. */
export function seriesOf(source) {
  const clean = CLEAN[source.split('/')[0]];
  const t = Array.from({ length: 24 }, (_, at) => 2 * at);
  const values = t.map((second) => Math.max(0, 0.3 * (1 - second / clean)));
  const columns = [{ name: 'misplaced', unit: 'share', values }];
  return [{ wall_start: START, t, columns }];
}
