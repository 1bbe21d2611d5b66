/** The page in the language of the dashboard; dark where it is preferred. */

import { expect, test } from '../lib/test.js';

import { goTo, keptRun, look, picture } from '../lib/app.js';
import { ALONE, APP, ENTRY, open, watch } from '../lib/dashboard.js';
import { allPages, show, tooWide } from '../lib/pages.js';
import { DETAIL, seriesOf } from '../lib/recovery.js';

const { id } = DETAIL.item;
const LANGUAGES = {
  de: {
    label: 'Leistungsvergleich',
    tab: 'Vergleichen',
    row: '← Alle Workloads',
    recovery: /Wiederherstellung [0-9a-f]+/,
    unjudged: 'daher nicht beurteilt',
    ratio: /×\d+,\d/,
    // as the language has numbers, never as another one
    wrong: /×\d+\.\d/,
    verdict: /schneller|langsamer|nicht eindeutig|kein Unterschied gezeigt/,
    english: /\b(faster|slower|inconclusive|Workload table)\b/,
  },
  'zh-Hans': {
    label: '性能对比',
    tab: '对比',
    row: '← 所有工作负载',
    recovery: /恢复 [0-9a-f]+/,
    unjudged: '因此未判定',
    ratio: /×\d+\.\d/,
    wrong: /×\d+,\d/,
    verdict: /更快|更慢|无定论|未显示差异/,
    english: /\b(faster|slower|inconclusive|Workload)\b/,
  },
};
const WIDTHS = [
  [1366, ''],
  [390, ALONE],
];

/** Choose a language as the dashboard's own menu does, by its cookie. */
async function speak(page, baseURL, language) {
  const cookie = { name: 'cd-lang', value: language, url: baseURL };
  await page.context().addCookies([cookie]);
}

/** Answer for a recovery that this cluster has not had. */
async function fake(page) {
  await page.route(`**/api/perfcompare/recovery/${id}*`, (route) =>
    route.fulfill({ json: DETAIL }),
  );
  await page.route(`**/api/perfcompare/recovery/${id}/series*`, (route) => {
    const { searchParams } = new URL(route.request().url());
    return route.fulfill({ json: seriesOf(searchParams.get('source')) });
  });
}

test.afterEach(async ({ reader: page }) => {
  await page.context().clearCookies({ name: 'cd-lang' });
});

for (const [language, words] of Object.entries(LANGUAGES)) {
  for (const [width, base] of WIDTHS) {
    test(`${language} is that of the page, in ${width} pixels`, async ({
      reader: page,
      baseURL,
    }) => {
      const errors = watch(page);
      const fits = expect.configure({ soft: true });
      await page.setViewportSize({ width, height: 768 });
      await speak(page, baseURL, language);
      await fake(page);
      const compare = `/compare?baseline=x86&candidate=arm&run=${keptRun()}`;
      await open(page, `#/perfcompare${compare}`, 'reader', base);
      if (!base) {
        await expect(page.locator(ENTRY)).toContainText(words.label);
      }
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      const app = page.locator(APP);
      if (!base) {
        await expect(app).toHaveAttribute('lang', language);
      }
      await expect(app.locator('h1')).toHaveText(words.label);
      await expect(app.locator('.tabs a').first()).toHaveText(words.tab);
      const forest = app.locator('pc-forest');
      await expect(forest.locator('.f-line').first()).toContainText(
        words.ratio,
      );
      await expect(forest).toContainText(words.verdict);
      await expect(app.locator('.answer')).not.toContainText(words.english);
      await expect(forest).not.toContainText(words.wrong);
      fits(await tooWide(page)).toEqual([]);
      await look(page, `${language}-compare-${width}`);

      await forest.locator('.f-line th a').first().click();
      await expect(app.getByText(words.row)).toBeVisible();
      await expect(app.locator('pc-chart-card canvas').nth(2)).toBeVisible();
      await expect(app.locator('#row-title').locator('..')).not.toContainText(
        words.wrong,
      );
      fits(await tooWide(page)).toEqual([]);
      await look(page, `${language}-row-${width}`);

      await goTo(page, `/recoveries/${id}`);
      await expect(app.locator('h2').first()).toContainText(words.recovery);
      await expect(app.locator('pc-recovery-detail .lead')).toContainText(
        words.unjudged,
      );
      fits(await tooWide(page)).toEqual([]);
      await look(page, `${language}-recovery-${width}`);

      for (const [name, path, complete] of allPages()) {
        await show(page, path, complete);
        fits(await tooWide(page), name).toEqual([]);
        await picture(page, `${language}-${name}-${width}`);
      }
      expect(errors).toEqual([]);
    });
  }
}

test('a language is chosen by the menu of the dashboard', async ({
  reader: page,
}) => {
  await open(page, '#/perfcompare/runs', 'reader');
  await expect(page.locator(`${APP} h1`)).toHaveText('Performance comparison');
  const menu = page.locator('cd-language-selector');
  await menu.locator('a, button').first().click();
  await menu
    .locator('a, button')
    .filter({ hasText: /^\s*Deutsch\s*$/ })
    .last()
    .click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.locator(ENTRY)).toContainText(LANGUAGES.de.label);
  // the link in the host's menu leads to its start page, too
  await page.click(ENTRY);
  await expect(page.locator(`${APP} h1`)).toHaveText(LANGUAGES.de.label);
});

test('a language that the page has not is English, and says so', async ({
  reader: page,
  baseURL,
}) => {
  await speak(page, baseURL, 'fr');
  await open(page, '#/perfcompare/runs', 'reader');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page.locator(APP)).toHaveAttribute('lang', 'en-US');
  await expect(page.locator(`${APP} h1`)).toHaveText('Performance comparison');
});

test('files of a language are kept by their name, too', async ({ request }) => {
  const main = await request.get('perfcompare-ui/de/main.js');
  expect(main.status()).toBe(200);
  expect(main.headers()['cache-control']).toBe('no-cache');
  const [chunk] = /chunk-[\w-]{8}\.js/.exec(await main.text());
  const part = await request.get(`perfcompare-ui/de/${chunk}`);
  expect(part.headers()['cache-control']).toContain('immutable');
  const none = await request.get('perfcompare-ui/fr/main.js');
  expect(none.status()).toBe(404);
});

for (const width of [1366, 390]) {
  test(`dark is followed by the page itself, in ${width} pixels`, async ({
    reader: page,
  }) => {
    await page.setViewportSize({ width, height: 768 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await fake(page);
    await open(page, '#/perfcompare/runs', 'reader', ALONE);
    const app = page.locator(APP);
    await expect(app.locator('pc-run-list tbody a').first()).toBeVisible();
    const ground = () =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await ground()).toBe('rgb(22, 26, 28)');
    const pages = [
      ...allPages(),
      ['recovery', `/recoveries/${id}`, 'pc-recovery-detail .lead'],
    ];
    for (const [name, path, complete] of pages) {
      await show(page, path, complete);
      // axe measures the contrast of every text
      await look(page, `dark-${name}-${width}`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await ground()).toBe('rgb(255, 255, 255)');
  });
}

test('in the dashboard the theme is the host’s', async ({ reader: page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, '#/perfcompare/runs', 'reader');
  const card = page.locator(`${APP} .card`).first();
  await expect(card).toBeVisible();
  await expect(card).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await look(page, 'dark-host');
});
