/** Fewer points for a line than a chart has pixels for. */

export interface Point {
  x: number;
  y: number;
}

/** Of each stretch of a line its least, its highest and its gap remain. */
const OF_EACH = 2;

/** Return about `most` points in their order, with all peaks, valleys and gaps that can be seen. */
export function thinned<T extends Point>(points: readonly T[], most = 2000): T[] {
  if (points.length <= most) {
    return [...points];
  }
  const stretch = Math.ceil((points.length * OF_EACH) / most);
  const found: T[] = [];
  for (let from = 0; from < points.length; from += stretch) {
    found.push(...telling(points.slice(from, from + stretch)));
  }
  return found;
}

/** Return the points that tell of a stretch, in their order. */
function telling<T extends Point>(points: readonly T[]): T[] {
  const known = points.filter(({ y }) => !Number.isNaN(y));
  const kept = new Set<T | undefined>([
    points.find(({ y }) => Number.isNaN(y)),
    known.reduce<T | undefined>((low, one) => (low && low.y <= one.y ? low : one), undefined),
    known.reduce<T | undefined>((high, one) => (high && high.y >= one.y ? high : one), undefined),
  ]);
  return points.filter((point) => kept.has(point));
}
