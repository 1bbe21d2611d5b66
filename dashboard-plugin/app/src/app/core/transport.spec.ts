import { TestBed } from '@angular/core/testing';
import { Stage } from '../../testing/stage';
import { Api } from './api';
import { ApiError } from './api-error';

/** Answer all that is asked in this way. */
function fetching(answer: (init: RequestInit) => Promise<unknown>): Api {
  new Stage({});
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => answer(init));
  return TestBed.inject(Api);
}

function answered(status: number, text: string): Promise<Response> {
  return Promise.resolve(new Response(text, { status }));
}

const silent = { status: 0, message: 'The manager does not answer.', code: '' };

describe('Transport', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('follows no standby to the active Manager, and says where it is', async () => {
    let how: RequestRedirect | undefined;
    const api = fetching(({ redirect }) => {
      how = redirect;
      return Promise.resolve({
        type: 'opaqueredirect',
        status: 0,
        ok: false,
        text: async () => '',
      });
    });
    const error = await api.status().catch((e: ApiError) => e);
    expect(how).toBe('manual');
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 0,
      code: 'moved',
      message: 'Another Manager is active now: reload the page.',
    });
  });

  it.each(['<!doctype html><p>standby</p>', 'standby'])('takes %s for no answer', async (page) => {
    const api = fetching(() => answered(200, page));
    expect(await api.status().catch((e: ApiError) => e)).toMatchObject(silent);
  });

  it.each([500, 502, 503])('takes a page with status %i for no answer', async (status) => {
    const api = fetching(() => answered(status, '<html><body>standby</body></html>'));
    expect(await api.status().catch((e: ApiError) => e)).toMatchObject(silent);
  });

  it('takes the page of a proxy that refuses a file for a refusal', async () => {
    const api = fetching(() => answered(413, '<html><h1>413</h1></html>'));
    const error = await api.imported('run', { text: 'x' }).catch((e: ApiError) => e);
    expect(error).toMatchObject({ status: 413 });
  });

  it('saves no page of a standby as an export', async () => {
    const api = fetching(() => answered(200, '\n<html></html>'));
    expect(await api.exported('run', 'a').catch((e: ApiError) => e)).toMatchObject(silent);
  });

  it('says in the language of the page that an answer broke off', async () => {
    const text = () => Promise.reject(new TypeError('network error'));
    const api = fetching(() => Promise.resolve({ type: 'basic', status: 200, ok: true, text }));
    expect(await api.status().catch((e: ApiError) => e)).toMatchObject(silent);
  });

  it('waits half a minute for a host that died, however long a file takes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const ends: AbortSignal[] = [];
    const api = fetching(({ signal }) => {
      ends.push(signal as AbortSignal);
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    });
    const read = api.status().catch((e: ApiError) => e);
    const stop = api.stopNow('0a1b2c3d').catch((e: ApiError) => e);
    void api.imported('run', { text: 'x' }).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(ends.map((one) => one.aborted)).toEqual([false, false, false]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await read).toMatchObject(silent);
    expect(await stop).toMatchObject(silent);
    expect(ends.map((one) => one.aborted)).toEqual([true, true, false]);
  });

  it('leaves a long answer its time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let end: AbortSignal | undefined | null;
    const text = () => new Promise((resolve) => setTimeout(() => resolve('{"a":1}'), 90_000));
    const api = fetching(({ signal }) => {
      end = signal;
      return Promise.resolve({ type: 'basic', status: 200, ok: true, text });
    });
    const file = api.exported('run', 'a');
    await vi.advanceTimersByTimeAsync(91_000);
    expect(await file).toBe('{"a":1}');
    expect(end?.aborted).toBe(false);
  });

  it('ends what is not wanted any more', async () => {
    const api = fetching(
      ({ signal }) =>
        new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
        ),
    );
    const abort = new AbortController();
    const read = api.status(abort.signal).catch((e: Error) => e.name);
    abort.abort();
    expect(await read).toBe('AbortError');
  });

  it.each([
    [2_000, 6_000],
    [20_000, 25_000], // the Manager would forget what it made
  ])('sends a file that took %i ms again after %i', async (took, rest) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    let sent = 0;
    const api = fetching(async () => {
      sent += 1;
      await new Promise((resolve) => setTimeout(resolve, took));
      return sent > 1 ? answered(201, '{"id":"a"}') : answered(202, '{"code":"in_progress"}');
    });
    const stored = api.imported('run', { text: 'x' });
    await vi.advanceTimersByTimeAsync(took + rest - 100);
    expect(sent).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(sent).toBe(2);
    await vi.advanceTimersByTimeAsync(took);
    expect(await stored).toEqual({ id: 'a' });
  });

  it('asks again soon for a plan, however slow the way is', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    let sent = 0;
    const api = fetching(async () => {
      sent += 1;
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return sent > 1 ? answered(200, '{"text":"a"}') : answered(202, '{"code":"in_progress"}');
    });
    const plan = api.plan('/plan', { groups: ['x86'] });
    await vi.advanceTimersByTimeAsync(2_200);
    expect(sent).toBe(2);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await plan).toEqual({ text: 'a' });
  });
});
