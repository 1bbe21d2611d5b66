/** A run that is measured while the next specs look at what there is. */

import { apiOf } from '../lib/api.js';
import { askForCurve } from '../lib/curves.js';
import { watch } from '../lib/dashboard.js';
import { expect, test } from '../lib/test.js';

test.use({ kept: true });

test('a curve is asked for', async ({ page, request }) => {
  const errors = watch(page);
  await askForCurve(page, await apiOf(request, 'admin'));
  expect(errors).toEqual([]);
});
