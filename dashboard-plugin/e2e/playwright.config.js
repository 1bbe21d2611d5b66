import { defineConfig } from '@playwright/test';

import { BROWSER } from './lib/browser.js';

const results = process.env.PERFCOMPARE_E2E_RESULTS ?? 'results';
const hostOnly = Boolean(process.env.PERFCOMPARE_E2E_HOST_ONLY);
// what is ours alone, and the same in whatever dashboard it is shown
const ours = [
  '**/41-curve*',
  '**/42-downloads*',
  '**/43-*',
  '**/44-*',
  '**/45-*',
  '**/47-*',
  '**/48-*',
  '**/5[0-2]-*',
];
// the standalone page, in which nothing is the host's (that it comes up is in
// 32), and what our page makes of the answers of our API
const oursToo = [
  /in(to)? 390 (and 400 )?pixels/,
  /dark is followed by the page itself/,
  /runs are found and sorted/,
  /raw samples are there/,
  /a run is exported, deleted and imported/,
  /a row of S3 has its operations/,
];

export default defineConfig({
  testDir: 'specs',
  testIgnore: hostOnly ? ours : [],
  grepInvert: hostOnly ? oursToo : [],
  outputDir: `${results}/failed`,
  // One cluster, one mgr, two cores: the specs go one after the other, and
  // their names say in which order. The run that the first one starts goes
  // on while others look at the dashboard, as it would in real life.
  workers: 1,
  fullyParallel: false,
  // ample: a busy machine is no fault of the dashboard
  timeout: 300_000,
  expect: { timeout: 60_000 },
  globalSetup: './lib/setup.js',
  // on a machine that others may share; the tally tells how many needed it
  retries: 1,
  reporter: [
    ['list'],
    ['junit', { outputFile: `${results}/e2e.xml` }],
    ['json', { outputFile: `${results}/e2e.json` }],
  ],
  use: {
    baseURL: process.env.PERFCOMPARE_E2E_URL,
    viewport: { width: 1400, height: 900 },
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    launchOptions: {
      executablePath: BROWSER,
      // the browser's own sandbox needs a user other than root
      args: process.getuid() === 0 ? ['--no-sandbox'] : [],
    },
  },
});
