import { TestBed } from '@angular/core/testing';
import { active, answers, idle } from '../testing/fixtures';
import { Stage, settle, text } from '../testing/stage';
import { App } from './app';
import { Live } from './core/live';

async function open(stage: Stage) {
  const fixture = TestBed.createComponent(App);
  await settle(fixture);
  const root = fixture.nativeElement.shadowRoot as ShadowRoot;
  return { fixture, root, stage };
}

describe('App', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

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

  it('leads back to lists and comparisons as they were left', async () => {
    const { root, stage, fixture } = await open(new Stage(answers(), '/runs?find=arm&offset=20'));
    const link = (name: string) =>
      [...root.querySelectorAll('nav.tabs a')].find((a) => text(a) === name)?.getAttribute('href');
    const go = async (path: string) => {
      stage.path = path;
      await settle(fixture);
    };
    expect(link('Runs')).toBe('#/perfcompare/runs');
    const compared = '/compare?baseline=x86&candidate=arm&view=table&by=ratio';
    await go(compared);
    expect(link('Runs')).toBe('#/perfcompare/runs?find=arm&offset=20');
    // a second click starts afresh
    expect(link('Compare')).toBe('#/perfcompare/compare');
    await go('/runs/0a1b2c3d');
    expect(link('Compare')).toBe(`#/perfcompare${compared}`);
    expect(link('Runs')).toBe('#/perfcompare/runs?find=arm&offset=20');
    await go('/new?repeat=0a1b2c3d');
    await go('/groups');
    expect(link('New run')).toBe('#/perfcompare/new');
  });

  it('says that another Manager is active, where this one only sends there', async () => {
    const stage = new Stage(answers());
    vi.stubGlobal('fetch', () =>
      Promise.resolve({ type: 'opaqueredirect', status: 0, ok: false, text: async () => '' }),
    );
    const { root } = await open(stage);
    const told = root.querySelector('[role=alert]');
    expect(text(told)).toBe('Another Manager is active now: reload the page.');
    expect(told?.querySelector('button')).toBeNull();
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
    [503, 'ceph mgr module enable perfcompare', 'not_enabled'],
    [503, 'the database waits for OSDs', 'EAGAIN'],
  ])('has a page for status %i', async (status, words, code = '') => {
    const body = { detail: 'the database waits for OSDs', code };
    const { root } = await open(new Stage({ 'GET /status': [status, body] }));
    const told = text(root.querySelector('[role=alert]'));
    expect(told).toContain(words);
    expect(told.includes('module enable')).toBe(code === 'not_enabled');
  });

  // 404: a Manager without the dashboard part; 415: one with another version of the API
  it.each([400, 404, 415, 500, 503])('keeps what is shown under a banner at %i', async (status) => {
    const { root, stage, fixture } = await open(new Stage(answers(), '/groups'));
    stage.answers['GET /status'] = [status, { detail: 'the module is restarting' }];
    await TestBed.inject(Live).refresh();
    await settle(fixture);
    expect(text(root.querySelector('[role=alert]'))).toContain('the module is restarting');
    expect(root.querySelector('pc-group-list')).not.toBeNull();
  });

  it('tells pages and rows apart by their titles, and says when a run ends', async () => {
    const titles: string[] = [];
    const stage = new Stage(answers({ 'GET /status': [200, active()] }), '/compare');
    stage.element.addEventListener('perfcompare-title', (event) =>
      titles.push((event as CustomEvent).detail.title),
    );
    const { root, fixture } = await open(stage);
    expect(text(root.querySelector('p[role=status]'))).toBe('Run 5e6f7a8b is under way');
    stage.path = '/compare?baseline=x86&candidate=arm&row=write-4K-c16';
    stage.answers['GET /status'] = [200, idle()];
    await TestBed.inject(Live).refresh();
    await settle(fixture);
    expect(titles).toEqual(['Compare', 'Compare write-4K-c16']);
    expect(text(root.querySelector('p[role=status]'))).toContain('Run ended: 0a1b2c3d');
  });

  it('says of a recovery test that it is one', async () => {
    const now = active();
    const status = { ...now, progress: { ...now.progress, scenario: 'backfill' } };
    const stage = new Stage(answers({ 'GET /status': [200, status] }), '/groups');
    const { root, fixture } = await open(stage);
    const said = () => text(root.querySelector('p[role=status]'));
    expect(said()).toBe('Recovery test 5e6f7a8b is under way');
    stage.answers['GET /status'] = [200, { ...idle(), last: '5e6f7a8b (completed)' }];
    await TestBed.inject(Live).refresh();
    await settle(fixture);
    expect(said()).toBe('Recovery test ended: 5e6f7a8b (completed)');
  });

  it('moves the focus to the heading of the page that was gone to', async () => {
    const { root, stage } = await open(new Stage(answers(), '/runs'));
    document.body.append(root.host);
    stage.path = '/runs/0a1b2c3d';
    await vi.waitFor(() => expect(root.activeElement?.id).toBe('run-title'), 20_000);
    root.host.remove();
  });

  it('moves it there while what is below is still being made', async () => {
    const pending = {
      'GET /comparison/evidence': [202, { code: 'in_progress' }] as [number, unknown],
    };
    const { root, stage } = await open(
      new Stage(answers(pending), '/compare?baseline=x86&candidate=arm'),
    );
    document.body.append(root.host);
    stage.path = '/compare?baseline=x86&candidate=arm&row=write-4K-c16';
    await vi.waitFor(() => expect(root.activeElement?.id).toBe('row-title'), 20_000);
    expect(root.querySelector('.page .skeleton')).not.toBeNull();
    root.host.remove();
  });

  /** Go to a run that the API is slow to tell of; answers when it is told to. */
  async function slowly(stage: Stage) {
    const { root } = await open(stage);
    document.body.append(root.host);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const fetched = globalThis.fetch;
    let answer: () => void = () => undefined;
    const told = new Promise<void>((resolve) => (answer = resolve));
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      if (url.includes('/run/')) {
        await told;
      }
      return fetched(url, init);
    });
    stage.path = '/runs/0a1b2c3d';
    await vi.advanceTimersByTimeAsync(20_000);
    expect(root.querySelector('.page .skeleton')).not.toBeNull();
    return { root, answer };
  }

  it('moves it there however long the page takes to come', async () => {
    const { root, answer } = await slowly(new Stage(answers(), '/runs'));
    answer();
    await vi.advanceTimersByTimeAsync(1000);
    expect(root.activeElement?.id).toBe('run-title');
    root.host.remove();
  });

  it('leaves the focus to who has moved it meanwhile', async () => {
    const { root, answer } = await slowly(new Stage(answers(), '/runs'));
    const link = [...root.querySelectorAll<HTMLElement>('nav a')].at(-1);
    link?.focus();
    answer();
    await vi.advanceTimersByTimeAsync(1000);
    expect(root.querySelector('#run-title')).not.toBeNull();
    expect(root.activeElement).toBe(link);
    root.host.remove();
  });

  it('says that a page does not exist', async () => {
    const { root } = await open(new Stage(answers(), '/nowhere'));
    expect(text(root)).toContain('There is no such page');
  });
});
