import config from './playwright.config.js';

/**
 * For a dashboard of which nothing is known but its address and a login:
 *
 *   PERFCOMPARE_E2E_URL=… PERFCOMPARE_E2E_DIR=… \
 *       npx playwright test --config given.config.js
 *
 * The folder has e2e-users.json, {"admin": "<password>"}. A run
 * of two groups has completed.
 */
export default {
  ...config,
  globalSetup: undefined,
  testDir: 'given',
  testIgnore: [],
  use: { ...config.use, ignoreHTTPSErrors: true },
};
