/** What can be taken away: files, pictures, paper. */

import { readFile } from 'node:fs/promises';

import { keptRun } from '../lib/app.js';
import { APP, open } from '../lib/dashboard.js';
import { show } from '../lib/pages.js';
import { expect, test } from '../lib/test.js';

test.use({ kept: true });

const compare = () => `/compare?baseline=x86&candidate=arm&run=${keptRun()}`;

/** Click; return name and bytes of the file that comes. */
async function saved(page, button) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button.click(),
  ]);
  return [download.suggestedFilename(), await readFile(await download.path())];
}

/** Width and height of a PNG, by its header. */
function sizeOf(png) {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

test('a comparison is saved as CSV, JSON, PNG, SVG', async ({
  reader: page,
}) => {
  await open(page, '#/perfcompare/runs', 'reader');
  await show(page, compare(), 'pc-forest .f-line a');
  const app = page.locator(APP);
  const from = async (kind) => {
    await app.locator('summary').filter({ hasText: 'Export' }).click();
    const button = app.getByRole('button', { name: kind, exact: true });
    return saved(page, button);
  };
  const [csv, lines] = await from('CSV');
  expect(csv).toBe('perfcompare-arm-vs-x86.csv');
  const [header, ...rows] = lines.toString().trim().split(/\r?\n/);
  expect(header).toMatch(/^workload,op,size_bytes,.*,interval_kind,/);
  expect(rows.map((row) => row.split(',')[0]).sort()).toEqual([
    'rand-4K-c16',
    'write-4K-c16',
  ]);
  await page.keyboard.press('Escape');
  const [json, text] = await from('JSON');
  expect(json).toBe('perfcompare-arm-vs-x86.json');
  expect(JSON.parse(text).rows.length).toBe(2);
  await page.keyboard.press('Escape');
  const [png, picture] = await from('PNG');
  expect(png).toBe('perfcompare-arm-vs-x86.png');
  await page.keyboard.press('Escape');
  const [svg, drawing] = await from('SVG');
  expect(svg).toBe('perfcompare-arm-vs-x86.svg');
  expect(drawing.toString()).toMatch(/^<svg .*write-4K-c16.*<\/svg>/s);
  const [width, height] = sizeOf(picture);
  expect(width).toBeGreaterThan(800);
  expect(height).toBeGreaterThan(400);
});

test('a chart is saved as CSV and PNG, and is a table, too', async ({
  reader: page,
}) => {
  await open(page, '#/perfcompare/runs', 'reader');
  await show(page, `${compare()}&row=write-4K-c16`, 'canvas >> nth=3');
  const card = page.locator(`${APP} pc-chart-card`).first();
  const of = (name) => card.getByRole('button', { name });
  const [csv, lines] = await saved(page, of('CSV Trials'));
  expect(csv).toBe('write-4K-c16-trials.csv');
  const rows = lines.toString().trim().split(/\r?\n/);
  const [png, picture] = await saved(page, of('PNG Trials'));
  expect(png).toBe('write-4K-c16-trials.png');
  expect(sizeOf(picture)[0]).toBeGreaterThan(200);
  await card.getByText('Show as table').click();
  await expect(card.locator('tbody tr')).toHaveCount(rows.length - 1);
});

test('on paper there is the comparison, and nothing around it', async ({
  reader: page,
}) => {
  await open(page, '#/perfcompare/runs', 'reader');
  await show(page, compare(), 'pc-forest .f-line a');
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('#sidebar')).toBeHidden();
  const app = page.locator(APP);
  await expect(app.locator('pc-forest table')).toBeVisible();
  await expect(app.locator('nav.tabs')).toBeHidden();
  const place = await app.locator('pc-forest table').boundingBox();
  expect(place.x).toBeLessThan(60);
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g).length;
  expect(pages).toBeLessThanOrEqual(3);
});
