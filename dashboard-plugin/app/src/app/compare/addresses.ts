/** Return the path of the comparison with one row open, or with none. */
export function rowPath(query: URLSearchParams, row: string): string {
  const next = new URLSearchParams(query);
  next.delete('row');
  next.delete('round');
  if (row) {
    next.set('row', row);
  }
  return `/compare?${next}`;
}
