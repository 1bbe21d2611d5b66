/** Before all specs: enable the module, create the users. */

import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

import { ceph, cephJson, FOLDER, until } from './cluster.js';
import { endTool } from './tool.js';
import { ROLES, save } from './users.js';

export default async function setup() {
  await ceph('mgr', 'module', 'enable', 'perfcompare');
  await until(() => cephJson('perfcompare', 'status'), 300);
  // the consent that an administrator gives once
  await ceph(
    'config',
    'set',
    'mgr',
    'mgr/perfcompare/enable_pool_delete',
    'true',
  );
  const login = JSON.parse(readFileSync(`${FOLDER}/dashboard.json`, 'utf8'));
  const users = { [login.user]: login.password };
  const known = await cephJson('dashboard', 'ac-user-show');
  for (const [name, role] of Object.entries(ROLES)) {
    users[name] = `Aa1-${randomBytes(12).toString('hex')}`;
    const file = `${FOLDER}/e2e-password`;
    writeFileSync(file, users[name], { mode: 0o600 });
    await (known.includes(name)
      ? ceph('dashboard', 'ac-user-set-password', name, '-i', file)
      : ceph('dashboard', 'ac-user-create', name, '-i', file, role));
  }
  save(users);
  endTool(); // each worker starts its own
}
