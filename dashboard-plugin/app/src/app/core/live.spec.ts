import { TestBed } from '@angular/core/testing';
import { active, idle } from '../../testing/fixtures';
import { Stage } from '../../testing/stage';
import { Live } from './live';

describe('Live', () => {
  afterEach(() => {
    TestBed.resetTestingModule();
    vi.unstubAllGlobals();
  });

  it('keeps what was asked for last, whichever answer comes last', async () => {
    new Stage({});
    const told: ((body: unknown, status?: number) => void)[] = [];
    vi.stubGlobal(
      'fetch',
      () =>
        new Promise((resolve) =>
          told.push((body, status = 200) =>
            resolve(new Response(JSON.stringify(body), { status })),
          ),
        ),
    );
    const live = TestBed.inject(Live);
    const before = live.refresh();
    const after = live.refresh();
    const failed = live.refresh();
    told.at(-2)?.(active());
    await after;
    told.at(-3)?.(idle());
    await before;
    expect(live.activeRun()).toBe('5e6f7a8b');
    told.at(-1)?.({ detail: 'the module is restarting' }, 503);
    await failed;
    expect(live.error()?.status).toBe(503);
    expect(live.activeRun()).toBe('5e6f7a8b');
  });
});
