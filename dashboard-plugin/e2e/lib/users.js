/** The users of the specs: one for each kind of permission. */

import { readFileSync, writeFileSync } from 'node:fs';

import { FOLDER } from './cluster.js';

const PATH = `${FOLDER}/e2e-users.json`;

/** name -> system role; the administrator is made by the mini cluster. */
export const ROLES = {
  reader: 'read-only',
  manager: 'cluster-manager',
  outsider: 'rgw-manager',
};

export function save(users) {
  writeFileSync(PATH, JSON.stringify(users), { mode: 0o600 });
}

/** The password of a user. */
export function password(name) {
  return JSON.parse(readFileSync(PATH, 'utf8'))[name];
}
