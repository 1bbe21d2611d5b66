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

export interface DoctorReport {
  tools: Tool[];
  exporters: Exporter[];
  exporters_problem: string;
  results: string[];
  stored: string;
}

export interface UndoReport {
  removed: string[];
  kept: { what: string; reason: string }[];
  leftovers: { what: string; reason: string; remedy: string }[];
}
