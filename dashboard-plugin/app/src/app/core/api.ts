import { Injectable, inject } from '@angular/core';
import { DoctorReport, ExporterList, UndoReport } from '../models/care';
import { Comparison, RowEvidence } from '../models/comparison';
import { RunFindings, RunHosts, RunOsds } from '../models/evidence';
import { Detection, GatewaySet, GroupChange, GroupEntry, Osd } from '../models/group';
import { LoadHost, LoadHostCheck } from '../models/load-host';
import { Declarations, Draft, PlanRequest, Ticket } from '../models/plan';
import { RecoveryDetail, RecoveryList } from '../models/recovery';
import {
  Journal,
  FormerProfile,
  Profile,
  RunDetail,
  RunPage,
  SeriesTable,
  Status,
  Stopping,
  Trial,
  TrialKey,
} from '../models/run';
import { QueryValue } from './path';
import { Options, Transport } from './transport';

/** Two sides and the runs, as the API takes them. */
export interface Compared {
  baseline: string;
  candidate: string;
  run: readonly string[];
  /** What is meant to differ, such as 'release'. */
  across?: readonly string[];
}

/** Which runs are listed, and in which order. */
export interface Search {
  find?: string;
  sort?: string;
}

/** What can be ended, deleted, exported and imported. */
export type Kind = 'run' | 'recovery';

/** Speak with the REST API of the manager module. */
@Injectable({ providedIn: 'root' })
export class Api {
  private readonly transport = inject(Transport);
  readonly expired = this.transport.expired;

  status(signal?: AbortSignal): Promise<Status> {
    return this.get('/status', { signal });
  }

  groups(signal?: AbortSignal): Promise<GroupEntry[]> {
    return this.get('/group', { signal });
  }

  osds(signal?: AbortSignal): Promise<Osd[]> {
    return this.get('/osd', { signal });
  }

  gateways(signal?: AbortSignal): Promise<GatewaySet[]> {
    return this.get('/gateways', { signal });
  }

  setGateways(group: string, body: Record<string, unknown>): Promise<GatewaySet> {
    return this.send('PUT', `/gateways/${part(group)}`, { body });
  }

  removeGateways(group: string): Promise<void> {
    return this.send('DELETE', `/gateways/${part(group)}`);
  }

  exporters(signal?: AbortSignal): Promise<ExporterList> {
    return this.get('/exporter', { signal });
  }

  setExporterAccess(body: Record<string, string>): Promise<unknown> {
    return this.send('PUT', '/exporter/access', { body });
  }

  removeExporterAccess(): Promise<unknown> {
    return this.send('DELETE', '/exporter/access');
  }

  loadHosts(signal?: AbortSignal): Promise<LoadHost[]> {
    return this.get('/load-host', { signal });
  }

  checkLoadHost(host: string, signal?: AbortSignal): Promise<LoadHostCheck> {
    return this.get(`/load-host/${part(host)}`, { signal });
  }

  enableLoadHost(host: string, enabled: boolean): Promise<LoadHost> {
    return this.send('PUT', `/load-host/${part(host)}`, { body: { enabled } });
  }

  removeLoadHost(host: string): Promise<void> {
    return this.send('DELETE', `/load-host/${part(host)}`);
  }

  createGroup(group: string, change: GroupChange): Promise<GroupEntry> {
    return this.send('POST', '/group', { body: { group, ...change } });
  }

  changeGroup(group: string, change: GroupChange): Promise<GroupEntry> {
    return this.send('PUT', `/group/${part(group)}`, { body: change });
  }

  removeGroup(group: string): Promise<void> {
    return this.send('DELETE', `/group/${part(group)}`);
  }

  /** Return proposals; nothing is set. */
  detectGroups(): Promise<Detection> {
    return this.send('POST', '/group/detect', { body: {} });
  }

  doctor(signal?: AbortSignal): Promise<DoctorReport> {
    return this.get('/doctor', { signal });
  }

  cleanup(): Promise<UndoReport> {
    return this.send('POST', '/cleanup', { body: {} });
  }

  profiles(signal?: AbortSignal): Promise<Profile[]> {
    return this.get('/profile', { signal });
  }

  /** Return a profile as a run had it. */
  formerProfile(profile: string, run: string, signal?: AbortSignal): Promise<FormerProfile> {
    return this.get(`/profile/${part(`${profile}@${run}`)}`, { signal });
  }

  profileText(profile: string, signal?: AbortSignal): Promise<{ text: string }> {
    return this.get(`/profile/${part(profile)}/export`, { signal });
  }

  saveProfile(profile: string, text: string, isNew: boolean): Promise<unknown> {
    return isNew
      ? this.send('POST', '/profile', { body: { profile, text } })
      : this.send('PUT', `/profile/${part(profile)}`, { body: { text } });
  }

  removeProfile(profile: string): Promise<void> {
    return this.send('DELETE', `/profile/${part(profile)}`);
  }

  options(signal?: AbortSignal): Promise<Declarations> {
    return this.get('/options', { signal });
  }

  plan(path: string, request: PlanRequest, signal?: AbortSignal): Promise<Draft> {
    return this.send('POST', path, { body: request, signal });
  }

  start(path: string, request: PlanRequest): Promise<Ticket> {
    return this.send('POST', path, { body: request });
  }

  runs(limit: number, offset: number, signal?: AbortSignal, search: Search = {}): Promise<RunPage> {
    return this.get('/run', { query: { limit, offset, ...search }, signal });
  }

  /** Return a run whose trials have no manifest and no evidence. */
  run(id: string, signal?: AbortSignal): Promise<RunDetail> {
    return this.get(`/run/${part(id)}`, { query: { brief: true }, signal });
  }

  trial(run: string, key: TrialKey, signal?: AbortSignal): Promise<Trial> {
    return this.get(`/run/${part(run)}/trial`, { query: keyQuery(key), signal });
  }

  series(run: string, key: TrialKey, source: string, signal?: AbortSignal): Promise<SeriesTable> {
    return this.get(`/run/${part(run)}/series`, {
      query: { ...keyQuery(key), source },
      signal,
    });
  }

  journal(run: string, signal?: AbortSignal): Promise<Journal> {
    return this.get(`/run/${part(run)}/journal`, { signal });
  }

  runFindings(run: string, signal?: AbortSignal): Promise<RunFindings> {
    return this.get(`/run/${part(run)}/findings`, { signal });
  }

  /** Return `top` OSDs of each table of a run, the most unlike first. */
  runOsds(run: string, top: number, signal?: AbortSignal): Promise<RunOsds> {
    return this.get(`/run/${part(run)}/osds`, { query: { top }, signal });
  }

  runHosts(run: string, signal?: AbortSignal): Promise<RunHosts> {
    return this.get(`/run/${part(run)}/hosts`, { signal });
  }

  cancel(kind: Kind, id: string): Promise<Stopping> {
    return this.send('POST', `/${kind}/${part(id)}/cancel`, { body: {} });
  }

  stopNow(run: string): Promise<Stopping> {
    return this.send('POST', '/stop', { body: { now: true, run } });
  }

  remove(kind: Kind, id: string): Promise<void> {
    return this.send('DELETE', `/${kind}/${part(id)}`);
  }

  /** Return the text of an exported run or recovery: its checksum is of these characters. */
  exported(kind: Kind, id: string): Promise<string> {
    return this.transport.text('GET', `/${kind}/${part(id)}/export`);
  }

  imported(kind: Kind, body: Record<string, string>): Promise<{ id: string }> {
    return this.send('POST', `/${kind}/import`, { body, file: true });
  }

  /** Return what is behind a row; of a round, its trials as they were recorded. */
  rowEvidence(
    { baseline, candidate, run, across }: Compared,
    row: string,
    round: string,
    signal?: AbortSignal,
  ): Promise<RowEvidence> {
    return this.get('/comparison/evidence', {
      query: { baseline, candidate, run, across, row, round: round || undefined },
      signal,
    });
  }

  /** Compare; `part` leaves out what is not shown: of rows, or other rows. */
  compare(
    { baseline, candidate, run, across }: Compared,
    part: { brief?: boolean; row?: string } = {},
    signal?: AbortSignal,
  ): Promise<Comparison> {
    return this.get('/comparison', {
      query: { baseline, candidate, run, across, ...part },
      signal,
    });
  }

  recoveries(limit: number, offset: number, signal?: AbortSignal): Promise<RecoveryList> {
    return this.get('/recovery', { query: { limit, offset }, signal });
  }

  /** Return a recovery; its tables compare two groups, by default the first ones. */
  recovery(
    id: string,
    pair: readonly string[] = [],
    signal?: AbortSignal,
  ): Promise<RecoveryDetail> {
    const [baseline, candidate] = pair;
    return this.get(`/recovery/${part(id)}`, { query: { baseline, candidate }, signal });
  }

  recoverySeries(id: string, source: string, signal?: AbortSignal): Promise<SeriesTable[]> {
    return this.get(`/recovery/${part(id)}/series`, { query: { source }, signal });
  }

  private get<T>(path: string, options: Options = {}): Promise<T> {
    return this.send('GET', path, options);
  }

  private send<T>(method: string, path: string, options: Options = {}): Promise<T> {
    return this.transport.data(method, path, options);
  }
}

function part(name: string): string {
  return encodeURIComponent(name);
}

function keyQuery(key: TrialKey): Record<string, QueryValue> {
  const { round, block, attempt, position } = key;
  return { round, block, attempt, position };
}
