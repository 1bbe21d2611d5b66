/** The REST API as a script uses it, without a page. */

import { password } from './users.js';

const ACCEPT = 'application/vnd.ceph.api.v1.0+json';

/** Log in; return get, post, put and remove with {status, data, headers}. */
export async function apiOf(request, user) {
  const send = async (method, path, data) => {
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

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
