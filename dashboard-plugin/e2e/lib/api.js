/** The REST API as a script uses it, without a page. */

import { until } from './cluster.js';
import { password } from './users.js';

const ACCEPT = 'application/vnd.ceph.api.v1.0+json';

const PATIENCE = 120_000; // ms
const PAUSE = 300; // ms

/** Log in; return get, post, put and remove with {status, data, headers}. */
export async function apiOf(request, user) {
  // what takes a moment is fetched by the same request, given again
  const send = async (method, path, data) => {
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      const answer = await once(method, path, data);
      const making =
        answer.status === 202 && answer.data?.code === 'in_progress';
      if (!making || Date.now() > deadline) {
        return answer;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  };
  const once = async (method, path, data) => {
    const answer = await request.fetch(path, {
      method,
      headers: { Accept: ACCEPT },
      data,
      timeout: 60_000,
    });
    const text = await answer.text();
    return {
      status: answer.status(),
      headers: answer.headers(),
      text,
      data: parsed(text),
    };
  };
  if (user) {
    const { status } = await send('POST', 'api/auth', {
      username: user,
      password: password(user),
    });
    if (status !== 201) {
      throw new Error(`${user} cannot log in: ${status}`);
    }
  }
  return {
    get: (path) => send('GET', path),
    post: (path, data = {}) => send('POST', path, data),
    put: (path, data = {}) => send('PUT', path, data),
    remove: (path) => send('DELETE', path),
  };
}

/** End what runs, if something does: of a try that failed, for one. */
export async function idle(api) {
  const running = async () =>
    (await api.get('api/perfcompare/status')).data.progress;
  const left = await running();
  if (left) {
    const kind = left.scenario ? 'recovery' : 'run';
    await api.post(`api/perfcompare/${kind}/${left.run}/cancel`);
    await until(async () => {
      if (await running()) {
        throw new Error(`${left.run} does not end`);
      }
    }, 180);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
