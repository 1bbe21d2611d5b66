import { TestBed } from '@angular/core/testing';
import { active, answers, idle, runs } from '../../testing/fixtures';
import { Stage, button, settle, text } from '../../testing/stage';
import { Live } from '../core/live';
import { RunList } from './run-list';

describe('RunList', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('shows states, reasons and where runs come from', async () => {
    new Stage(answers(), '/runs');
    const fixture = TestBed.createComponent(RunList);
    await settle(fixture);
    const rows = [...fixture.nativeElement.querySelectorAll('tbody tr')].map(text);
    expect(rows).toHaveLength(4);
    expect(rows[1]).toContain('aborted');
    expect(rows[1]).toContain('1 OSD is down');
    expect(rows[3]).toContain('imported from 1f2e3d4c');
  });

  it('shows workloads and what became of them', async () => {
    const found = runs();
    found.runs[3] = { ...found.runs[3], trials: 9, verdicts: null };
    new Stage(answers({ 'GET /run': [200, found] }), '/runs');
    const fixture = TestBed.createComponent(RunList);
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    const rows = [...root.querySelectorAll('tbody tr')].map(text);
    expect(rows[0]).toContain('write-4K-c16, rand-4K-c16 and 4 more');
    expect(rows[0]).toMatch(/2 faster.*1 slower.*1 no difference.*2 inconclusive/);
    // who is faster or slower than whom
    const [baseline, candidate] = found.runs[0].groups;
    expect(rows[0]).toContain(`${candidate} compared with ${baseline}:▲ 2 faster`);
    expect(rows[1]).toMatch(/arm compared with x86:.*1 slower.*old compared with x86:.*2 inconcl/);
    expect(rows[3]).toContain('being judged');
  });

  it('gives up to wait for the verdicts of a damaged run', async () => {
    const found = runs();
    found.runs[3] = { ...found.runs[3], trials: 9, verdicts: null };
    const stage = new Stage(answers({ 'GET /run': [200, found] }), '/runs');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const fixture = TestBed.createComponent(RunList);
    await settle(fixture);
    const last = () => text([...fixture.nativeElement.querySelectorAll('tbody tr')].at(-1));
    for (let turn = 0; turn < 20; turn += 1) {
      await vi.advanceTimersByTimeAsync(2000);
      await settle(fixture);
    }
    vi.useRealTimers();
    await settle(fixture);
    expect(stage.requests('GET', '/run').length).toBeLessThan(20);
    expect(last()).not.toContain('being judged');
    expect(stage.requests('GET', '/run').length).toBeGreaterThan(10);
  });

  it('waits for verdicts only while somebody sees the page', async () => {
    const found = runs();
    found.runs[3] = { ...found.runs[3], trials: 9, verdicts: null };
    const stage = new Stage(answers({ 'GET /run': [200, found] }), '/runs');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const fixture = TestBed.createComponent(RunList);
    await settle(fixture);
    stage.resting.set(true);
    await settle(fixture);
    const before = stage.requests('GET', '/run').length;
    await vi.advanceTimersByTimeAsync(30_000);
    await settle(fixture);
    expect(stage.requests('GET', '/run')).toHaveLength(before);
    stage.resting.set(false);
    await settle(fixture);
    await vi.advanceTimersByTimeAsync(2000);
    await settle(fixture);
    vi.useRealTimers();
    expect(stage.requests('GET', '/run').length).toBeGreaterThan(before);
  });

  it('sees the trials of a run that goes on', async () => {
    const found = runs();
    const stage = new Stage(
      answers({ 'GET /run': [200, found], 'GET /status': [200, active()] }),
      '/runs',
    );
    const fixture = TestBed.createComponent(RunList);
    await settle(fixture);
    const before = stage.requests('GET', '/run').length;
    found.runs[0] = { ...found.runs[0], bytes: 3 * 2 ** 30 };
    const { progress, ...rest } = active();
    const next = { ...rest, progress: { ...progress, trial: 'rand-4K-c16 on x86' } };
    stage.answers['GET /status'] = [200, next];
    await TestBed.inject(Live).refresh();
    await settle(fixture);
    expect(stage.requests('GET', '/run')).toHaveLength(before + 1);
    expect(text(fixture.nativeElement)).toContain('3.00 GiB');
    // of the same trial there is nothing new
    await TestBed.inject(Live).refresh();
    await settle(fixture);
    expect(stage.requests('GET', '/run')).toHaveLength(before + 1);
  });

  it('asks the server for what is looked for, and for the order', async () => {
    const stage = new Stage(answers(), '/runs?offset=20');
    const fixture = TestBed.createComponent(RunList);
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    const asked = () =>
      Object.fromEntries(stage.requests('GET', '/run').at(-1)?.url.searchParams ?? []);
    expect(asked()).toEqual({ limit: '20', offset: '20' });
    const find = root.querySelector('input.find') as HTMLInputElement;
    for (const letters of ['ar', 'arm 4K']) {
      find.value = letters;
      find.dispatchEvent(new Event('input'));
    }
    await vi.waitFor(() => expect(stage.path).toContain('find=arm'), 20_000);
    await settle(fixture);
    expect(stage.requests('GET', '/run')).toHaveLength(2);
    expect(asked()).toEqual({ limit: '20', offset: '0', find: 'arm 4K' });
    const sort = root.querySelector('select') as HTMLSelectElement;
    sort.value = 'longest';
    sort.dispatchEvent(new Event('change'));
    await settle(fixture);
    expect(asked()).toEqual({ limit: '20', offset: '0', find: 'arm 4K', sort: 'longest' });
    expect(text(root)).toContain('Found with “arm 4K”: 4');
    button(root, 'Show all').click();
    await settle(fixture);
    expect(stage.path).toBe('/runs?sort=longest');
  });

  it('leaves a space as it was typed, and looks for what is around it', async () => {
    const stage = new Stage(answers(), '/runs');
    const fixture = TestBed.createComponent(RunList);
    await settle(fixture);
    const find = fixture.nativeElement.querySelector('input.find') as HTMLInputElement;
    find.value = 'arm ';
    find.dispatchEvent(new Event('input'));
    await vi.waitFor(() => expect(stage.path).toContain('find=arm'), 20_000);
    await settle(fixture);
    expect(find.value).toBe('arm ');
    const asked = () =>
      stage.requests('GET', '/run').map(({ url }) => url.searchParams.get('find'));
    expect(asked().at(-1)).toBe('arm');
    const before = asked().length;
    find.value = 'arm';
    find.dispatchEvent(new Event('input'));
    await vi.waitFor(() => expect(stage.path).toMatch(/find=arm$/), 20_000);
    await settle(fixture);
    expect(asked()).toHaveLength(before);
  });

  it('goes back to the last page when a page has nothing any more', async () => {
    const none = { runs: [], total: 40, offset: 40 };
    const stage = new Stage(answers({ 'GET /run': [200, none] }), '/runs?offset=40&sort=longest');
    const fixture = TestBed.createComponent(RunList);
    await settle(fixture);
    expect(stage.path).toBe('/runs?offset=20&sort=longest');
  });

  it('waits for verdicts again when another run has ended', async () => {
    const stage = new Stage(answers(), '/runs');
    const fixture = TestBed.createComponent(RunList);
    await settle(fixture);
    const list = fixture.componentInstance as unknown as { tries: number };
    list.tries = 0; // a page that is open for long
    stage.answers['GET /status'] = [200, active()];
    await TestBed.inject(Live).refresh();
    await settle(fixture);
    expect(list.tries).toBeGreaterThan(0);
  });

  it('says that nothing was found, and shows all again', async () => {
    const none = { runs: [], total: 0, offset: 0 };
    const stage = new Stage(answers({ 'GET /run': [200, none] }), '/runs?find=xyz');
    const fixture = TestBed.createComponent(RunList);
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    expect(text(root)).toContain('No run has “xyz”');
    expect(text(root)).not.toContain('No runs yet');
    expect((root.querySelector('input.find') as HTMLInputElement).value).toBe('xyz');
    stage.answers['GET /run'] = answers()['GET /run'];
    button(root, 'Show all').click();
    await settle(fixture);
    expect(root.querySelectorAll('tbody tr')).toHaveLength(4);
  });

  it('hides what the user may not do', async () => {
    const reader = { ...idle(), permissions: ['read'] };
    new Stage(answers({ 'GET /status': [200, reader] }), '/runs');
    const fixture = TestBed.createComponent(RunList);
    await settle(fixture);
    expect(text(fixture.nativeElement)).not.toContain('Delete');
    expect(text(fixture.nativeElement)).not.toContain('Import');
    expect(text(fixture.nativeElement)).not.toContain('New run');
    expect(text(fixture.nativeElement)).toContain('Plan a run');
  });

  it('asks before it deletes', async () => {
    const stage = new Stage(answers({ 'DELETE /run/0a1b2c3d': [204, null] }), '/runs');
    const fixture = TestBed.createComponent(RunList);
    await settle(fixture);
    button(fixture.nativeElement, 'Delete…').click();
    await settle(fixture);
    expect(stage.requests('DELETE', '/run/0a1b2c3d')).toHaveLength(0);
    const dialog = fixture.nativeElement.querySelector('dialog');
    expect(text(dialog)).toContain('All results of run 0a1b2c3d');
    button(dialog, 'Delete').click();
    await settle(fixture);
    expect(stage.requests('DELETE', '/run/0a1b2c3d')).toHaveLength(1);
    expect(fixture.nativeElement.querySelector('dialog')).toBeNull();
  });
});

describe('Import', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('sends a file with what is said of it', async () => {
    const stage = new Stage(answers({ 'POST /run/import': [201, { id: '9a9b9c9d' }] }), '/runs');
    const fixture = TestBed.createComponent(RunList);
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    button(root, 'Import…').click();
    await settle(fixture);
    const field = <T extends Element>(id: string) => root.querySelector(`#import-${id}`) as T;
    Object.defineProperty(field('file'), 'files', { value: [new File(['a,b'], 'a.csv')] });
    field<HTMLSelectElement>('tool').value = 'csv';
    field<HTMLInputElement>('group').value = 'arm';
    [...root.querySelectorAll('dialog button')]
      .map((b) => b as HTMLElement)
      .at(-1)
      ?.click();
    await settle(fixture);
    expect(stage.requests('POST', '/run/import')[0].body).toEqual({
      text: 'a,b',
      tool: 'csv',
      group: 'arm',
    });
    expect(text(root)).toContain('9a9b9c9d');
  });

  it('tells of a file that is refused after its dialog was closed', async () => {
    const stage = new Stage(answers(), '/runs');
    const fixture = TestBed.createComponent(RunList);
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    const fetched = globalThis.fetch;
    let answer: () => void = () => undefined;
    const told = new Promise<void>((resolve) => (answer = resolve));
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      if (url.endsWith('/import')) {
        await told;
      }
      return fetched(url, init);
    });
    stage.answers['POST /run/import'] = [400, { detail: 'the checksum is another' }];
    const press = async (name: string, within: Element) => {
      button(within as HTMLElement, name).click();
      await settle(fixture);
      return root.querySelector('dialog') as HTMLElement;
    };
    const dialog = await press('Import…', root);
    await press('Import', dialog);
    expect(text(dialog)).toContain('Choose a file.');
    const file = root.querySelector('#import-file') as HTMLInputElement;
    Object.defineProperty(file, 'files', { value: [new File(['{}'], 'run.json')] });
    await press('Import', dialog);
    await press('Back', dialog);
    const part = root.querySelector('pc-import');
    expect(text(part)).toContain('The file is being imported…');
    answer();
    await settle(fixture);
    expect(text(part)).not.toContain('being imported');
    expect(text(part?.querySelector('[role=alert]') ?? null)).toBe('the checksum is another');
    // what was not chosen is no failure
    await press('Back', await press('Import…', root));
    expect(part?.querySelector('[role=alert]')).toBeNull();
  });
});
