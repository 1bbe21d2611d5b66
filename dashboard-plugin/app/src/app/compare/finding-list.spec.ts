import { TestBed } from '@angular/core/testing';
import { comparison } from '../../testing/fixtures';
import { Stage, settle, text } from '../../testing/stage';
import { FindingList } from './finding-list';

describe('FindingList', () => {
  it('says of how many OSDs and hosts the load is compared, where not of all', async () => {
    new Stage({});
    const { baseline, candidate } = comparison().rows[0];
    for (const { limited } of [baseline, candidate]) {
      limited.osds_max_mean = 1.25;
      limited.hosts_max_mean = 1.1;
    }
    candidate.limited.osds_counted = [256, 1000];
    candidate.limited.hosts_counted = [];
    const fixture = TestBed.createComponent(FindingList);
    fixture.componentRef.setInput('baseline', baseline);
    fixture.componentRef.setInput('candidate', candidate);
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    const [first, second] = [...root.querySelectorAll('.side')].map(text);
    expect(first).toContain('Greatest ÷ mean load: OSDs ×1.25, hosts ×1.10');
    expect(second).toContain('256 of 1000 OSDs ×1.25, hosts ×1.10');
  });
});
