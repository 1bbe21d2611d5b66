/** The REST API as a script uses it, without a page. */

import { request as requests } from '@playwright/test';

import { until } from './cluster.js';
import { password } from './users.js';

const ACCEPT = 'application/vnd.ceph.api.v1.0+json';

const PATIENCE = 120_000; // ms
const PAUSE = 300; // ms

// of users who have logged in: for each password that it is given, the Manager
// starts a program
const tokens = new Map();

/** Log in; return the token, which restarts of the Manager leave valid. */
async function logIn(user) {
  // with a cookie, the header of another user would not count
  const own = await requests.newContext({
    baseURL: process.env.PERFCOMPARE_E2E_URL,
  });
  try {
    const answer = await own.post('api/auth', {
      headers: { Accept: ACCEPT },
      data: { username: user, password: password(user) },
      timeout: 60_000,
    });
    if (answer.status() !== 201) {
      throw new Error(`${user} cannot log in: ${answer.status()}`);
    }
    return (await answer.json()).token;
  } finally {
    await own.dispose();
  }
}

/**
 * Log in, again where that is to be seen (`anew`); return get, post, put and
 * remove with {status, data, headers}.
 */
export async function apiOf(request, user, anew = false) {
  if (user && (anew || !tokens.has(user))) {
    tokens.set(user, await logIn(user));
  }
  const allowed = user && { Authorization: `Bearer ${tokens.get(user)}` };
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
      headers: { Accept: ACCEPT, ...allowed },
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
