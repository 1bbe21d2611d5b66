/** What the checks of the Manager's host find, and what cleaning up does. */

export interface Tool {
  name: string;
  path: string | null;
  version: string | null;
  /** Empty when it can be used. */
  problem: string;
  need: string;
  deb: string;
  rpm: string;
  required: boolean;
}

export interface Exporter {
  host: string;
  /** null: it was not tried. */
  reachable: boolean | null;
  problem: string;
}

/** An exporter that is read beside a host's first one. */
export type FurtherExporter = Omit<Exporter, 'host'> & { url: string };

/** Where figures of hosts come from, and what access is set for that. */
export interface ExporterList {
  source: string;
  exporters: (Exporter & {
    roles: string[];
    url: string;
    origin: string;
    more: FurtherExporter[];
  })[];
  access: { ca: boolean; credentials: boolean; prometheus_credentials: boolean };
  prometheus_url: string;
}

export interface DoctorReport {
  tools: Tool[];
  exporters: Exporter[];
  exporters_problem: string;
  results: string[];
  stored: string;
  /** Why the database takes no result; '' when it may. */
  refused: string;
}

export interface UndoReport {
  removed: string[];
  kept: { what: string; reason: string }[];
  leftovers: { what: string; reason: string; remedy: string }[];
}
