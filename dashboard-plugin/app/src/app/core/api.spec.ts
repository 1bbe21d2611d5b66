import { TestBed } from '@angular/core/testing';
import { answers } from '../../testing/fixtures';
import { Stage } from '../../testing/stage';
import { Api } from './api';
import { ApiError } from './api-error';

describe('Api', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('asks below the prefix of the dashboard, each run once', async () => {
    const stage = new Stage(answers());
    await TestBed.inject(Api).compare({
      baseline: 'x86',
      candidate: 'arm',
      run: ['0a1b2c3d', '5e6f7a8b'],
    });
    expect(stage.sent[0].url.href).toBe(
      'https://ceph.test/prefix/api/perfcompare/comparison' +
        '?baseline=x86&candidate=arm&run=0a1b2c3d&run=5e6f7a8b',
    );
  });

  it('carries the one line of an error', async () => {
    new Stage({ 'GET /group': [503, { detail: 'perfcompare is not enabled' }] });
    const error = await TestBed.inject(Api)
      .groups()
      .catch((e: ApiError) => e);
    expect(error).toMatchObject({ status: 503, message: 'perfcompare is not enabled' });
  });

  it('asks again while an answer is being made', async () => {
    const stage = new Stage({ 'GET /group': [202, { code: 'in_progress' }] });
    const groups = TestBed.inject(Api).groups();
    await new Promise((resolve) => setTimeout(resolve));
    stage.answers['GET /group'] = [200, []];
    expect(await groups).toEqual([]);
    expect(stage.requests('GET', '/group').length).toBe(2);
  });

  it('tells the shell once that the session has ended', async () => {
    const stage = new Stage({ 'GET /group': [401, {}] });
    const api = TestBed.inject(Api);
    await Promise.allSettled([api.groups(), api.groups()]);
    expect(stage.events.map((e) => e.type)).toEqual(['perfcompare-unauthorized']);
    expect(api.expired()).toBe(true);
  });

  it('gives an export as it was sent, to the last character', async () => {
    // the checksum is of the text: another spelling of a number is another file
    const sent = '{"checksum":"sha256:0","content":{"wall_start":1.0,"n":1e-07,"x":-0.0}}\n';
    new Stage({});
    const asked = ['{"code":"in_progress"}', sent];
    vi.stubGlobal('fetch', () =>
      Promise.resolve(new Response(asked.shift(), { status: asked.length ? 202 : 200 })),
    );
    expect(await TestBed.inject(Api).exported('run', 'a')).toBe(sent);
  });
});
