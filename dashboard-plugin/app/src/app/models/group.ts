/** Groups; field names are those of groupbook.py, detection.py, topology.py. */

export interface GroupSpec {
  name: string;
  hosts: string[];
  device_class: string | null;
  watts: number | null;
  price: number | null;
  note: string;
}

export interface Group {
  spec: GroupSpec;
  osds: number[];
  hosts: string[];
  failure_domains: number;
  arch: string[];
  missing: number[];
}

export interface GroupEntry {
  spec: GroupSpec;
  defined: boolean;
  placement: 'hosts' | 'device-class';
  group: Group | null;
  problem: string;
}

/** S3 gateways of an operator that serve a group. */
export interface GatewaySet {
  group: string;
  endpoints: string[];
  placement: string;
  region: string;
  /** The name in which buckets are hosts; '' is none. */
  dns_name: string;
  /** A CA was given for them. */
  own_ca: boolean;
}

export interface GroupChange {
  hosts?: string[];
  device_class?: string;
  watts?: number;
  price?: number;
  note?: string;
}

export interface Proposal {
  spec: GroupSpec;
  arch: string;
  osds: number[];
  why: string;
}

export interface Detection {
  proposals: Proposal[];
  /** One line for all that is in no proposal. */
  left_out: string[];
}

export interface Osd {
  id: number;
  host: string;
  device_class: string | null;
  up: boolean;
  in_: boolean;
  arch: string | null;
  cpu: string | null;
  mem_total_kb: number | null;
  kernel: string | null;
  ceph_version: string | null;
  rotational: boolean | null;
  bdev_type: string | null;
  devices: string | null;
  size_bytes: number;
  used_bytes: number;
}
