import { TestBed } from '@angular/core/testing';
import { active, answers } from '../testing/fixtures';
import { Stage, settle, text } from '../testing/stage';
import { App } from './app';

async function open(stage: Stage) {
  const fixture = TestBed.createComponent(App);
  await settle(fixture);
  const root = fixture.nativeElement.shadowRoot as ShadowRoot;
  return { fixture, root, stage };
}

describe('App', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('follows the path that the shell sets', async () => {
    const { root, stage, fixture } = await open(new Stage(answers(), '/runs'));
    expect(text(root.querySelector('[aria-current=page]'))).toBe('Runs');
    stage.path = '/groups';
    await settle(fixture);
    expect(text(root.querySelector('[aria-current=page]'))).toBe('Groups');
    expect(root.querySelector('pc-group-list')).not.toBeNull();
  });

  it('tells the shell where a link leads, and reloads nothing', async () => {
    const { root, stage, fixture } = await open(new Stage(answers(), '/runs'));
    const link = [...root.querySelectorAll('nav a')].find((a) => text(a) === 'Groups');
    expect(link?.getAttribute('href')).toBe('#/perfcompare/groups');
    const click = new MouseEvent('click', { bubbles: true, cancelable: true });
    link?.dispatchEvent(click);
    await settle(fixture);
    expect(click.defaultPrevented).toBe(true);
    expect(stage.events.map((e) => e.detail)).toEqual([{ path: '/groups', replace: false }]);
  });

  it('leaves a click with a key pressed to the browser', async () => {
    const { root, stage } = await open(new Stage(answers(), '/runs'));
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true });
    // jsdom would follow the link
    root.addEventListener('click', (event) => event.preventDefault(), { once: true });
    root.querySelector('nav a')?.dispatchEvent(click);
    expect(stage.events).toEqual([]);
  });

  it('shows the run under way on every page', async () => {
    const { root } = await open(new Stage(answers({ 'GET /status': [200, active()] }), '/groups'));
    expect(text(root.querySelector('.live-pill'))).toContain('42 %');
  });

  it('shows a run that is taken over without a share of work', async () => {
    const now = active();
    const progress = { ...now.progress, state: 'resuming', eta: null };
    for (const run of ['0a1b2c3d', '']) {
      const status = { ...now, progress: { ...progress, run } };
      const { root } = await open(new Stage(answers({ 'GET /status': [200, status] }), '/groups'));
      const pill = root.querySelector('.live-pill');
      expect(text(pill)).toContain('resuming');
      expect(text(pill)).not.toContain('%');
      expect(pill?.getAttribute('href')).toBe(`#/perfcompare/runs/${run}`);
      TestBed.resetTestingModule();
    }
  });

  it.each([
    [401, 'Your session has ended'],
    [403, 'You are not permitted'],
    [503, 'ceph mgr module enable perfcompare'],
  ])('has a page for status %i', async (status, words) => {
    const { root } = await open(new Stage({ 'GET /status': [status, { detail: 'no' }] }));
    expect(text(root.querySelector('[role=alert]'))).toContain(words);
  });

  it('says that a page does not exist', async () => {
    const { root } = await open(new Stage(answers(), '/nowhere'));
    expect(text(root)).toContain('There is no such page');
  });
});
