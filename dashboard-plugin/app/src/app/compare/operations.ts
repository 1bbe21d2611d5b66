/** The operations of workloads, in the order in which they are shown. */

import { Op } from '../models/run';

const OPS: Record<Op, string> = {
  write: $localize`Write`,
  rand: $localize`Random read`,
  seq: $localize`Sequential read`,
  's3-put': $localize`S3 put`,
  's3-get': $localize`S3 get`,
  's3-stat': $localize`S3 stat`,
  's3-delete': $localize`S3 delete`,
  's3-mixed': $localize`S3 mixed`,
  's3-range': $localize`S3 range`,
  's3-list': $localize`S3 list`,
  's3-overwrite': $localize`S3 overwrite`,
  's3-multidelete': $localize`S3 multi-delete`,
  's3-multipart': $localize`S3 multipart`,
  's3-copy': $localize`S3 copy`,
  'rbd-randread': $localize`RBD random read`,
  'rbd-randwrite': $localize`RBD random write`,
  'rbd-randrw': $localize`RBD random read and write`,
  'rbd-read': $localize`RBD sequential read`,
  'rbd-write': $localize`RBD sequential write`,
  'rbd-rw': $localize`RBD sequential read and write`,
  'io-read': $localize`I/O sequential read`,
  'io-write': $localize`I/O sequential write`,
  'io-randread': $localize`I/O random read`,
  'io-randwrite': $localize`I/O random write`,
  'io-mixed': $localize`I/O mixed`,
  'io-trim': $localize`I/O trim`,
  other: $localize`Other`,
};

const ORDER = Object.keys(OPS);

/** Return the place of an operation; one that is not known is behind all. */
export function opOrder(op: Op): number {
  const at = ORDER.indexOf(op);
  return at < 0 ? ORDER.length : at;
}

export function opText(op: Op): string {
  return OPS[op] ?? op;
}
