/** What the OSDs of a group are, in few words. */

import { GroupEntry, Osd } from '../models/group';

export interface GroupFacts {
  hosts: string[];
  osds: number;
  missing: number[];
  arch: string[];
  cpu: string[];
  media: string[];
  classes: string[];
  size: number;
  used: number;
  versions: string[];
}

function distinct(values: readonly (string | null | undefined)[]): string[] {
  return [...new Set(values.filter((v): v is string => !!v))].sort();
}

function medium(osd: Osd): string | null {
  if (osd.rotational === null) {
    return osd.bdev_type;
  }
  return osd.rotational ? 'HDD' : osd.bdev_type === 'nvme' ? 'NVMe' : 'SSD';
}

/** Return the facts of one group; of what is not recorded, nothing. */
export function groupFacts(entry: GroupEntry, osds: ReadonlyMap<number, Osd>): GroupFacts | null {
  const group = entry.group;
  if (!group) {
    return null;
  }
  const found = group.osds.flatMap((id) => osds.get(id) ?? []);
  const sum = (of: (osd: Osd) => number) => found.reduce((total, osd) => total + of(osd), 0);
  return {
    hosts: group.hosts,
    osds: group.osds.length,
    missing: group.missing,
    arch: group.arch,
    cpu: distinct(found.map((osd) => osd.cpu)),
    media: distinct(found.map(medium)),
    classes: distinct(found.map((osd) => osd.device_class)),
    size: sum((osd) => osd.size_bytes),
    used: sum((osd) => osd.used_bytes),
    versions: distinct(found.map((osd) => osd.ceph_version)),
  };
}
