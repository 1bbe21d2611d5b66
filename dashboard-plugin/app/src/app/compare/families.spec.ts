import { TestBed } from '@angular/core/testing';
import { answers, comparison } from '../../testing/fixtures';
import { Stage, settle, text } from '../../testing/stage';
import { CompareNotes } from './compare-notes';
import { familiesOf } from './families';

function found() {
  const sizes = { family_size: 6, metrics_family_size: 12, probe_family_size: 4 };
  return { ...comparison(), ...sizes };
}

describe('families of a metric', () => {
  it('are those of operations per second, or of further metrics', () => {
    expect(familiesOf(found(), { key: 'ops' })).toEqual([6]);
    expect(familiesOf(found(), { key: 'bytes' })).toEqual([6]);
    expect(familiesOf(found(), { key: 'ops-per-watt' })).toEqual([12]);
  });

  it('are none per OSD, of which the rows are not known', () => {
    const unequal = found();
    expect(familiesOf(unequal, { key: 'ops' }, true)).toEqual([6]);
    unequal.rows[0].per_osd.verdict = 'slower';
    expect(familiesOf(unequal, { key: 'ops' }, true)).toEqual([]);
    expect(familiesOf(unequal, { key: 'ops' })).toEqual([6]);
  });

  it('are none of what has no verdict', () => {
    expect(familiesOf(found(), { key: 'latency' })).toEqual([]);
    const plain = found();
    plain.rows.forEach((row) => row.metrics.forEach((one) => (one.estimate.verdict = null)));
    expect(familiesOf(plain, { key: 'ops-per-watt' })).toEqual([]);
  });

  it('have what probes saw apart', () => {
    const probed = found();
    const [first, ...rest] = probed.rows.flatMap((row) =>
      row.metrics.filter(({ id }) => id === 'ops-per-watt'),
    );
    first.source = 'probe';
    expect(familiesOf(probed, { key: 'ops-per-watt' })).toEqual([12, 4]);
    rest.forEach((one) => (one.source = 'probe'));
    expect(familiesOf(probed, { key: 'ops-per-watt' })).toEqual([4]);
  });

  it('stand among how it was judged', async () => {
    new Stage(answers());
    const fixture = TestBed.createComponent(CompareNotes);
    fixture.componentRef.setInput('comparison', found());
    fixture.componentRef.setInput('metric', { key: 'ops-per-watt' });
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    expect(text(root)).toContain('over 12 rows');
    fixture.componentRef.setInput('metric', { key: 'latency' });
    await settle(fixture);
    expect(text(root)).not.toContain('False discoveries');
    vi.unstubAllGlobals();
  });
});
