/** What a run was made with, as far as it is recorded. */

import { formatBytes, formatDuration } from '../core/units';
import { GroupPlan, Run } from '../models/run';

export const NOT_RECORDED = $localize`not recorded`;

/** What is known of a run; an import has only what its file says. */
export interface RunFacts {
  rounds: string;
  pools: string;
  client: string;
  ceph: string;
  planned: string;
  seed: string;
}

/** Say whether another tool measured: of the cluster nothing is known. */
export function isForeign(run: Run): boolean {
  return run.origin.startsWith('import:') && !run.fsid && !run.plan.size;
}

/** Return facts as text; what is not known is never 0. */
export function factsOf(run: Run): RunFacts {
  const { plan } = run;
  const foreign = isForeign(run);
  const { rounds } = plan.profile;
  const conditioned = plan.blocks.some((block) => block.round === 0);
  return {
    rounds: conditioned ? $localize`${rounds} and a conditioning round` : String(rounds),
    pools: plan.size
      ? $localize`size ${plan.size}, min_size ${plan.min_size}, by ${plan.failure_domain}`
      : NOT_RECORDED,
    client: plan.client_host || NOT_RECORDED,
    ceph: run.ceph_version || NOT_RECORDED,
    planned: foreign
      ? NOT_RECORDED
      : $localize`${formatDuration(plan.seconds)}, ${formatBytes(plan.bytes_written)} written`,
    seed: foreign ? NOT_RECORDED : String(plan.seed),
  };
}

/** Return how a group was placed, on what. */
export function placementOf(group: GroupPlan): { by: string; hosts: string; osds: string } {
  const known = group.osds.length > 0;
  const by = [
    group.placement === 'hosts' ? $localize`hosts` : '',
    group.device_class ? $localize`device class ${group.device_class}` : '',
  ];
  return {
    by: known ? by.filter(Boolean).join(' ') : NOT_RECORDED,
    hosts: group.hosts.join(', ') || (known ? '' : NOT_RECORDED),
    osds: known ? String(group.osds.length) : NOT_RECORDED,
  };
}
