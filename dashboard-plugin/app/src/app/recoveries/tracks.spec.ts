import { recovery, timeline } from '../../testing/recoveries';
import { cleanAgain } from './clean-again';
import { eventsOf, markText, sourcesOf, trackPlot, tracksOf, zeroOf } from './tracks';

const parts = [
  {
    wall_start: 1795195000,
    t: [2, 4],
    columns: [{ name: 'misplaced', unit: 'share', values: [0.25, 0.1] }],
  },
];

describe('trackPlot', () => {
  it('draws days of samples, and has all of them in its table', () => {
    const [track] = tracksOf(recovery().item);
    const t = Array.from({ length: 129_600 }, (_, at) => at);
    const columns = [{ name: 'misplaced', unit: 'share', values: t.map(() => 0.1) }];
    const series = [{ track, tables: [{ wall_start: 1795195000, t, columns }] }];
    const { config, table } = trackPlot(series, 'misplaced', 't0');
    expect(config.data.datasets[0].data.length).toBeLessThan(2100);
    expect(table.rows).toHaveLength(129_600);
  });
});

describe('sourcesOf', () => {
  it('has what a Manager saw that took over before anything was stored', () => {
    const stored = ['(cluster)#1', 'x86#1', 'x86-2#1', 'arm', 'arm#1', 'arm#2'];
    expect(sourcesOf(stored, 'x86')).toEqual(['x86']);
    expect(sourcesOf(stored, '(cluster)')).toEqual(['(cluster)']);
    expect(sourcesOf(stored, 'arm')).toEqual(['arm']);
  });

  it('has both series of a step', () => {
    const stored = ['x86/1/1/client', 'x86/1/1/cluster', 'x86/1/10/cluster', 'x86/1/2/client'];
    expect(sourcesOf(stored, 'x86/1/1')).toEqual(['x86/1/1/client', 'x86/1/1/cluster']);
  });
});

describe('cleanAgain', () => {
  const tracks = () => tracksOf(recovery().item);

  it('has median and range of repetitions', () => {
    const [x86, arm] = tracks();
    const again = { ...arm, timeline: timeline('arm', 50) };
    expect(cleanAgain([x86, arm, again])[0].ratio).toBe('');
    const [line] = cleanAgain([x86, x86, arm, again]);
    expect(line.sides.map((one) => one.text)).toEqual(['18 s (18 s … 18 s)', '43 s (39 s … 47 s)']);
    expect([line.ratio, line.repetitions]).toEqual(['2.39', 2]);
  });

  it('counts from t1, as lists and tables do, and has no time where that is not known', () => {
    const [x86, arm] = tracks();
    x86.timeline.marks.t1 = { fate: 'not available', at: null, accuracy: null, source: '' };
    const [line] = cleanAgain([x86, arm]);
    expect(line.sides.map((one) => one.text)).toEqual(['not available', '39 s']);
    expect(line.ratio).toBe('');
  });

  it('has no ratio with what was not reached, or is not known', () => {
    const [x86, arm] = tracks();
    arm.timeline.marks.t5 = { fate: 'censored', at: arm.timeline.ended, accuracy: 1, source: '' };
    delete x86.timeline.marks.t5;
    const [line] = cleanAgain([x86, arm]);
    expect(line.sides.map((one) => one.text)).toEqual(['not available', 'not within 39 s']);
    expect(line.ratio).toBe('');
  });

  it('has no line for a step that waits for no recovery', () => {
    const stopped = tracks().map((track) => ({ ...track, title: 'OSD stopped' }));
    for (const { timeline } of stopped) {
      timeline.marks.t5 = {
        fate: 'not available',
        at: null,
        accuracy: null,
        source: 'not waited for',
      };
    }
    const back = tracks().map((track) => ({ ...track, title: 'OSD back' }));
    expect(cleanAgain([...stopped, ...back]).map(({ title }) => title)).toEqual(['OSD back']);
  });

  it('does not compare the timelines of an episode', () => {
    const [line] = cleanAgain(tracks().map((track) => ({ ...track, title: '' })));
    expect(line.ratio).toBe('');
  });
});

describe('tracks', () => {
  it('begin at t0, whenever they were', () => {
    const tracks = tracksOf(recovery().item);
    expect(tracks.map((track) => track.group)).toEqual(['x86', 'arm']);
    expect(zeroOf(tracks)).toBe('t0');
    const drawn = trackPlot([{ track: tracks[0], tables: parts }], 'misplaced', 't0');
    expect(drawn.config.data.datasets[0].data).toEqual([
      { x: 2, y: 0.25 },
      { x: 4, y: 0.1 },
    ]);
  });

  it('begin at t1 where any of them has no t0, and say so', () => {
    const tracks = tracksOf(recovery().item);
    const [x86, arm] = tracks;
    const start = arm.timeline.began;
    arm.timeline.marks.t0 = { fate: 'not available', at: null, accuracy: null, source: '' };
    x86.timeline.events = arm.timeline.events = [{ at: start + 5, text: 'osd.0 up' }];
    expect(zeroOf(tracks)).toBe('t1');
    const tables = parts.map((table) => ({ ...table, wall_start: start }));
    const series = tracks.map((track) => ({ track, tables }));
    const { config, table } = trackPlot(series, 'misplaced', 't1');
    const [own, other] = config.data.datasets.map(({ data }) => data);
    expect(own).toEqual(other);
    expect(own[0]).toEqual({ x: -1, y: 0.25 });
    expect(table.rows[0][2]).toBe(-1);
    expect(config.options?.scales?.['x']).toMatchObject({ title: { text: 'seconds since t1' } });
    expect(eventsOf(tracks, 't1').map((text) => text.split(': ')[0])).toEqual([
      'x86, 2.0 s',
      'arm, 2.0 s',
    ]);
    expect(markText(x86.timeline, 't1', 't1')).toBe('0.0 s ±0.5');
    expect(markText(x86.timeline, 't0', 't1')).toBe('-3.0 s ±0.5');
    expect(markText(arm.timeline, 't0', 't1')).toBe('–');
  });

  it('say which moments there were not, and which are not known', () => {
    const one = timeline('arm', 42);
    expect(markText(one, 't4', 't0')).toBe('none');
    expect(markText(one, 't2', 't0')).toBe('–');
    one.marks.t5 = { fate: 'censored', at: one.ended, accuracy: 1, source: '' };
    expect(markText(one, 't5', 't0')).toBe('> 42.0 s');
  });
});
