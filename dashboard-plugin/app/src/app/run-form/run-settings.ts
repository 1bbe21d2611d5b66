/** The settings of a run, and the form that repeats one. */

import { opText } from '../compare/operations';
import { formatConcurrency } from '../core/units';
import { Profile, Run } from '../models/run';
import { FormData, LABEL, LEAVE, POOLS, Setting, filled } from '../plan-form/settings';

const PLAIN: readonly Setting[] = [
  { key: 'sizes', label: $localize`Object sizes`, list: true, example: '4K, 4M' },
  { key: 'concurrency', label: $localize`Operations in flight`, list: true, example: '16, 4/osd' },
  { key: 'duration', label: $localize`Seconds per trial`, min: 1 },
  { key: 'rounds', label: $localize`Rounds`, min: 1 },
  { key: 'clients', label: $localize`Client processes`, min: 1 },
  { key: 'stats_period', label: $localize`Seconds between reports of OSDs`, min: 1 },
  ...POOLS,
];

const RADOS: readonly Setting[] = [
  {
    key: 'cache',
    label: $localize`Where reads come from`,
    options: ['', 'cached', 'device', 'both'],
  },
  { key: 'probe_rate', label: $localize`Operations per second of the latency probe`, min: 0 },
];

const S3: readonly Setting[] = [
  {
    key: 'gateway_source',
    label: $localize`S3 gateways`,
    options: ['', 'private', 'orch', 'existing'],
  },
  { key: 'gateways', label: $localize`Gateways of a group`, min: 1 },
  { key: 's3_client', label: $localize`S3 client`, options: ['', 'own', 'warp'] },
  { key: 'rate', label: $localize`Operations begun per second`, min: 0 },
  { key: 'read_sizes', label: $localize`Sizes read, with weights`, example: '4M:80,1M:20' },
  { key: 'write_sizes', label: $localize`Sizes written, with weights`, example: '4M:80,1M:20' },
  { key: 'prefill', label: $localize`Objects read, or their bytes`, example: '5000, 10G' },
  { key: 'mix', label: $localize`Shares of a mix`, example: 'get=70,put=30' },
  { key: 'range_size', label: $localize`Bytes of a range read`, example: '64K' },
  { key: 'list_keys', label: $localize`Names of a listing`, min: 1 },
  { key: 'delete_batch', label: $localize`Objects of a multi-delete`, min: 1 },
  { key: 'part_size', label: $localize`Bytes of a part of an upload`, example: '8M' },
  { key: 'part_streams', label: $localize`Parts of an upload at a time`, min: 1 },
  { key: 'keys', label: $localize`How objects are chosen`, example: 'zipf:0.99, hot:20:80' },
  {
    key: 'arrivals',
    label: $localize`Arrivals at a rate`,
    options: ['', 'constant', 'poisson'],
  },
  { key: 'buckets', label: $localize`Buckets that objects are spread over`, min: 1 },
  { key: 'prefixes', label: $localize`Prefixes of names in each bucket`, min: 1 },
  {
    key: 'checksum',
    label: $localize`Checksum behind contents`,
    options: ['', 'none', 'crc32', 'crc64nvme'],
  },
  {
    key: 'encryption',
    label: $localize`Encryption by the gateways`,
    options: ['', 'none', 'sse-c', 'sse-s3'],
  },
  { key: 'tags', label: $localize`Tags of an object that is written`, min: 0 },
  { key: 'rgw_index_class', label: $localize`Device class of bucket indexes` },
  { key: 's3_tls', label: $localize`TLS between clients and S3 gateways`, flag: true },
];

const FLAGS: readonly Setting[] = [
  {
    key: 'adaptive',
    label: $localize`Adaptive: end workloads early where the difference is large`,
    flag: true,
  },
  { key: 'control', label: $localize`Control: compare a group with itself`, flag: true },
  ...LEAVE,
];

/** Return the settings of a run with this profile. */
export function runSettings(profile: Profile | undefined): Setting[] {
  // what a profile does, each once: what `--workload` chooses from
  const ops = [...new Set((profile?.workloads ?? []).map((workload) => workload.op))];
  const operations: Setting = {
    key: 'workloads',
    label: $localize`Only these operations`,
    many: ops.length > 1 ? ops.map((op) => [op, opText(op)]) : [],
  };
  const s3 = ops.some((op) => op.startsWith('s3'));
  const rados = ops.some((op) => !op.startsWith('s3'));
  return [operations, ...PLAIN, ...(rados ? RADOS : []), ...(s3 ? S3 : []), ...FLAGS];
}

/** Return the form that leads to the settings of a former run. */
export function formOf(run: Run): FormData {
  const { options, profile, groups } = run.plan;
  const settings = runSettings(profile).filter(({ key }) => key !== 'seed');
  return {
    ...filled([LABEL, ...settings], { ...options }),
    profile: profile.name,
    groups: groups.map((group) => group.name),
  };
}

/** Return 'write-4K-c16 (10 s, 16)' facts of a profile. */
export function profileFacts(profile: Profile): string {
  return profile.workloads
    .map((w) => `${w.name} (${w.duration} s, ${formatConcurrency(w.concurrency)})`)
    .join('; ');
}
