/** Say where a run was started, for people. */
export function originText(origin: string): string {
  if (origin.startsWith('import')) {
    const fsid = origin.split(':')[1] ?? '';
    return fsid ? $localize`imported from ${fsid.slice(0, 8)}` : $localize`imported`;
  }
  return origin === 'dashboard' ? $localize`dashboard` : origin === 'cli' ? 'CLI' : origin;
}
