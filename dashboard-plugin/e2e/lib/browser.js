/** The browser: Chromium without windows, at a tenth of its CPU. */
export const BROWSER =
  process.env.PERFCOMPARE_E2E_BROWSER ?? '/usr/bin/chromium-headless-shell';
