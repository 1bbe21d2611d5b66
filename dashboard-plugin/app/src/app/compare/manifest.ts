/** Manifests side by side. */

export interface ManifestRow {
  field: string;
  values: string[];
  differs: boolean;
}

function text(value: unknown): string {
  if (value === null || value === undefined) {
    return '–';
  }
  if (Array.isArray(value)) {
    return value.map(text).join(', ') || '–';
  }
  if (typeof value === 'boolean') {
    return value ? $localize`yes` : $localize`no`;
  }
  if (typeof value === 'number') {
    return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
  }
  return value === '' ? $localize`none` : String(value);
}

function flatten(manifest: Record<string, unknown>): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [name, value] of Object.entries(manifest)) {
    if (value && typeof value === 'object' && !Array.isArray(value)) {
      for (const [inner, deep] of Object.entries(value)) {
        flat.set(`${name}.${inner}`, text(deep));
      }
    } else {
      flat.set(name, text(value));
    }
  }
  return flat;
}

/** Return one line per field of any manifest. */
export function manifestRows(
  sides: readonly { group: string; manifest: Record<string, unknown> }[],
): ManifestRow[] {
  const flat = sides.map((side) => flatten(side.manifest));
  const fields = [...new Set(flat.flatMap((side) => [...side.keys()]))].sort();
  return fields.map((field) => {
    const values = flat.map((side) => side.get(field) ?? '–');
    return { field, values, differs: new Set(values).size > 1 };
  });
}
