/** Answers of the API, written by tools/fixtures.py. */

import comparisonJson from './fixtures/comparison.json';
import curvesJson from './fixtures/curves.json';
import draftJson from './fixtures/draft.json';
import evidenceJson from './fixtures/evidence.json';
import groupsJson from './fixtures/groups.json';
import offeredJson from './fixtures/offered.json';
import optionsJson from './fixtures/options.json';
import osdsJson from './fixtures/osds.json';
import profilesJson from './fixtures/profiles.json';
import proposalsJson from './fixtures/proposals.json';
import runJson from './fixtures/run.json';
import runsJson from './fixtures/runs.json';
import seriesJson from './fixtures/series.json';
import activeJson from './fixtures/status-active.json';
import idleJson from './fixtures/status-idle.json';
import trialJson from './fixtures/trial.json';
import { Comparison, RowEvidence } from '../app/models/comparison';
import { GroupEntry, Osd } from '../app/models/group';
import { Declarations, Draft } from '../app/models/plan';
import { Profile, RunDetail, RunPage, SeriesTable, Status, Trial } from '../app/models/run';
import { Answers } from './stage';

const copy = <T>(value: unknown): T => structuredClone(value) as T;

export const comparison = () => copy<Comparison>(comparisonJson);
export const curves = () => copy<Comparison>(curvesJson);
export const offered = () => copy<Comparison>(offeredJson);
export const evidence = () => copy<RowEvidence>(evidenceJson);
export const draft = () => copy<Draft>(draftJson);
export const groups = () => copy<GroupEntry[]>(groupsJson);
export const options = () => copy<Declarations>(optionsJson);
export const osds = () => copy<Osd[]>(osdsJson);
export const profiles = () => copy<Profile[]>(profilesJson);
export const run = () => copy<RunDetail>(runJson);
export const runs = () => copy<RunPage>(runsJson);
export const series = () => copy<SeriesTable>(seriesJson);
export const trial = () => copy<Trial>(trialJson);
export const active = () => copy<Status>(activeJson);
export const idle = () => copy<Status>(idleJson);

/** Return how the profile of a run as it had it is asked for. */
export function former({ run: { id, plan } }: RunDetail): string {
  return `GET /profile/${plan.profile.name}%40${id}`;
}

/** Return what a cluster with one finished run answers. */
export function answers(changes: Answers = {}): Answers {
  const id = '0a1b2c3d';
  return {
    'GET /status': [200, idle()],
    'GET /group': [200, groups()],
    'GET /gateways': [200, []],
    'GET /options': [200, options()],
    'GET /osd': [200, osds()],
    'POST /group/detect': [200, copy(proposalsJson)],
    'GET /profile': [200, copy(profilesJson)],
    'GET /run': [200, runs()],
    'POST /run': [201, { run: '5e6f7a8b', warnings: [] }],
    'POST /plan': [200, draft()],
    'GET /comparison': [200, comparison()],
    'GET /comparison/evidence': [200, evidence()],
    [`GET /run/${id}`]: [200, run()],
    [former(run())]: [200, { ...run().run.plan.profile, run: id, since: 'same' }],
    [`GET /run/${id}/series`]: [200, series()],
    [`GET /run/${id}/trial`]: [200, trial()],
    [`GET /run/${id}/journal`]: [200, []],
    ...changes,
  };
}
