import { definePerfcompareApp } from './element';
import { Host } from './core/host';

describe('PerfcompareElement', () => {
  it('knows from its attributes what is shown, and whether it is', () => {
    definePerfcompareApp('https://ceph.test/prefix/perfcompare-ui/main.js');
    const element = document.createElement('perfcompare-app') as HTMLElement & Host;
    element.setAttribute('path', '/runs');
    expect([element.path, element.resting()]).toEqual(['/runs', false]);
    element.toggleAttribute('resting', true);
    expect([element.path, element.resting()]).toEqual(['/runs', true]);
    element.toggleAttribute('resting', false);
    expect(element.resting()).toBe(false);
  });
});
