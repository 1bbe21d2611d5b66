/** Runs that are there to be looked at. */

import { expect } from '@playwright/test';

import { idle } from './api.js';
import { SELDOM, until } from './cluster.js';

const RUNS = 'api/perfcompare/run';

// of the run of one group; it must not have the label of a field in it, which
// a field in which it is offered would be found by
export const SINGLE = 'all by itself';

/** The id of the newest completed run of x86 and arm, of curves or not. */
export async function newest(api, curves) {
  const { data } = await api.get(`${RUNS}?limit=50`);
  for (const { id, state } of data.runs) {
    if (state === 'completed') {
      const { run } = (await api.get(`${RUNS}/${id}?brief=true`)).data;
      const groups = run.plan.groups.map(({ name }) => name);
      const both = ['x86', 'arm'].every((name) => groups.includes(name));
      if (both && Boolean(run.plan.options.curve) === curves) {
        return id;
      }
    }
  }
  return null;
}

/** The id of a completed run of x86 alone, which is made where there is none. */
export async function runOfOne(api) {
  const known = async () =>
    (await api.get(`${RUNS}?limit=50`)).data.runs.find(
      ({ label, state }) => label === SINGLE && state === 'completed',
    );
  const found = await known();
  if (found) {
    return found.id;
  }
  await idle(api);
  const body = { groups: ['x86'], profile: 'smoke', rounds: 1, label: SINGLE };
  const made = await api.post(RUNS, body);
  expect(made.status, made.text).toBe(201);
  await until(async () => expect(await known()).toBeTruthy(), 300, SELDOM);
  return made.data.run;
}
