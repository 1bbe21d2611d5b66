/** REST: how it refuses. While a run is under way, some say that instead. */

import { apiOf } from '../lib/api.js';
import { expect, test } from '../lib/test.js';

test('refusals are one clear line', async ({ request }) => {
  const api = await apiOf(request, 'admin');
  for (const [method, path, body, status, line] of [
    ['get', 'run/12345678', null, 404, /12345678/],
    ['get', 'group/nobody', null, 404, /'nobody' does not exist/],
    ['get', 'profile/nothing', null, 404, /nothing/],
    ['get', 'run?limit=many', null, 400, /'many' is not a whole number/],
    ['get', 'run?limit=0', null, 400, /limit 0/],
    ['post', 'plan', {}, 400, /groups/],
    ['post', 'plan', { groups: ['arm'], speed: 1 }, 400, /speed/],
    ['post', 'plan', { groups: 7 }, 400, /groups/],
    ['post', 'plan', { groups: ['nobody'] }, 404, /nobody/],
    ['post', 'group', { group: 'a b', device_class: 'arm' }, 400, /a b/],
    ['post', 'run/import', { text: 'x' }, 400, /JSON/],
    ['post', 'run/12345678/cancel', {}, 404, /12345678/],
    ['post', 'recovery/12345678/cancel', {}, 404, /12345678/],
    ['post', 'recovery/plan', {}, 400, /groups/],
    ['post', 'recovery', { groups: ['x86'], scenario: 'x' }, 400, /'x'/],
  ]) {
    const answer = await api[method](`api/perfcompare/${path}`, body);
    const { detail } = answer.data;
    expect(answer.status, `${path}: ${detail}`).toBe(status);
    expect(detail, path).toMatch(line);
    expect(detail, path).not.toMatch(/\n|Traceback/);
  }
});
