import { TestBed } from '@angular/core/testing';
import { answers } from '../../testing/fixtures';
import { recoveries } from '../../testing/recoveries';
import { Stage, button, settle, text } from '../../testing/stage';
import { RecoveryListPage } from './recovery-list';

describe('RecoveryListPage', () => {
  afterEach(() => vi.unstubAllGlobals());

  async function open(found = recoveries()) {
    new Stage(answers({ 'GET /recovery': [200, found] }), '/recoveries');
    const fixture = TestBed.createComponent(RecoveryListPage);
    await settle(fixture);
    return fixture.nativeElement as HTMLElement;
  }

  it('says how long each group took', async () => {
    const root = await open();
    const [row] = [...root.querySelectorAll('tbody tr')].map(text);
    expect(row).toContain('7a7b7c7d');
    expect(row).toContain('clean after 39 s');
  });

  it('says which groups are emulated', async () => {
    const list = recoveries();
    list.items[0].groups[1].emulated = true;
    const root = await open(list);
    const groups = [...root.querySelectorAll('tbody td:nth-of-type(3) > .block')].map(text);
    expect(groups.map((one) => one.includes('emulated'))).toEqual([false, true]);
  });

  it('ends what is under way, and deletes what has ended', async () => {
    const list = recoveries();
    list.items.push({ ...list.items[0], id: '5e6f7a8b', state: 'running', ended: false });
    const stage = new Stage(
      answers({
        'GET /recovery': [200, list],
        'DELETE /recovery/7a7b7c7d': [204, null],
        'POST /recovery/5e6f7a8b/cancel': [200, {}],
        'POST /stop': [200, {}],
      }),
    );
    const fixture = TestBed.createComponent(RecoveryListPage);
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    for (const name of ['Delete', 'Cancel', 'Stop load now']) {
      button(root, `${name}…`).click();
      await settle(fixture);
      button(
        root.querySelector('dialog') as HTMLElement,
        { Delete: 'Delete', Cancel: 'Cancel the' }[name] ?? 'Stop the load',
      ).click();
      await settle(fixture);
    }
    expect(stage.requests('DELETE', '/recovery/7a7b7c7d')).toHaveLength(1);
    expect(stage.requests('POST', '/recovery/5e6f7a8b/cancel')).toHaveLength(1);
    // a page that is old stops nothing else
    expect(stage.requests('POST', '/stop')[0].body).toEqual({ now: true, run: '5e6f7a8b' });
  });

  it('goes back to the last page when a page has nothing any more', async () => {
    const none = { ...recoveries(), items: [], total: 20, offset: 20 };
    const stage = new Stage(answers({ 'GET /recovery': [200, none] }), '/recoveries?offset=20');
    const fixture = TestBed.createComponent(RecoveryListPage);
    await settle(fixture);
    expect(stage.path).toBe('/recoveries');
  });

  it('counts no recovery that is not stored yet', async () => {
    const stored = recoveries();
    const [current] = stored.items;
    const first = await open({ ...stored, current, items: [], total: 0 });
    expect(first.querySelectorAll('tbody tr')).toHaveLength(1);
    expect(first.querySelector('pc-pager')).toBeNull();
    TestBed.resetTestingModule();
    const root = await open(stored);
    expect(text(root.querySelector('pc-pager'))).toContain(`of ${stored.total}`);
  });

  it('tells a first-time user what will be here', async () => {
    const root = await open({ ...recoveries(), items: [], total: 0 });
    expect(text(root)).toContain('ceph perfcompare recovery run');
  });
});
