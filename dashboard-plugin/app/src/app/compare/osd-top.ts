/** The OSDs that a reader should look at first. */

import { fixed } from '../core/locale';
import { formatNumber } from '../core/units';
import { OsdMetric, OsdSide, median } from './charts';

const SHOWN = 5;

export interface TopOsds {
  group: string;
  osds: { id: string; value: string; ratio: string }[];
}

/** Return which counter the load is seen by: writes, where there are more of them than reads. */
export function mainCounter(sides: readonly OsdSide[]): 'op_w' | 'op_r' {
  const sum = (key: string) =>
    sides
      .flatMap((side) => Object.values(side.osds))
      .reduce((all, osd) => all + (osd?.[key] ?? 0), 0);
  return sum('op_w') > sum('op_r') ? 'op_w' : 'op_r';
}

/** Return the OSDs with the greatest values of each side. */
export function topOsds(sides: readonly OsdSide[], metric: OsdMetric): TopOsds[] {
  return sides.map((side) => {
    const found = Object.entries(side.osds)
      .flatMap(([id, osd]) => {
        const value = osd?.[metric.key];
        return typeof value === 'number' ? [{ id, value: value * metric.factor }] : [];
      })
      .sort((a, b) => b.value - a.value);
    const middle = found.length ? median(found.map((osd) => osd.value)) : 0;
    return {
      group: side.group,
      osds: found.slice(0, SHOWN).map(({ id, value }) => ({
        id,
        value: formatNumber(value),
        ratio: middle > 0 ? `×${fixed(value / middle, 2)}` : '–',
      })),
    };
  });
}
