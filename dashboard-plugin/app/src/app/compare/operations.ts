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
  other: $localize`Other`,
};

export const OP_ORDER = Object.keys(OPS);

export function opText(op: Op): string {
  return OPS[op] ?? op;
}
