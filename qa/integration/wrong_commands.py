"""Command lines that are wrong, with what their one line must say.

Each is (words after `ceph perfcompare`, exit code, a word of the message).
"""

from typing import List, Tuple

import errno

Wrong = Tuple[str, int, str]

INVAL, NOENT, EXIST = (errno.EINVAL, errno.ENOENT, errno.EEXIST)

GROUPS: List[Wrong] = [
    ('group set UPPER --hosts n1', INVAL, "'UPPER'"),
    ('group set -x --hosts n1', INVAL, '-x'),
    ('group set a/b --hosts n1', INVAL, "'a/b'"),
    ('group set %s --hosts n1' % ('a' * 33), INVAL, 'a' * 33),
    ('group set g', INVAL, '--hosts'),
    ('group set g --hosts nowhere', NOENT, "'nowhere'"),
    ('group set g --hosts n1,nowhere', NOENT, "'nowhere'"),
    ('group set g --hosts n1 --hosts n1', INVAL, "'n1'"),
    ('group set g --hosts osd.0', NOENT, 'osd.0'),
    ('group set g --device-class nvme', NOENT, "'nvme'"),
    ('group set g --hosts n1 --device-class alt', INVAL, 'alt'),
    ('group set g --hosts n1 --watts -5', INVAL, '-5'),
    ('group set g --hosts n1 --watts many', INVAL, 'many'),
    ('group set g --hosts n1 --price 0', INVAL, '0'),
    ('group set g --hosts n1 --note %s' % ('x' * 5000), INVAL, '--note'),
    ('group show nobody', NOENT, "'nobody'"),
    ('group rm nobody', NOENT, "'nobody'"),
    ('group', INVAL, 'group'),
    ('group ls --format xml', INVAL, 'xml'),
]

RUNS: List[Wrong] = [
    ('run', INVAL, 'group'),
    ('run --group nobody', NOENT, "'nobody'"),
    ('run --group x86 --group x86', INVAL, "'x86'"),
    ('run --group x86 --group half', INVAL, 'half'),
    ('run --group lone', INVAL, "'lone'"),
    ('run --group x86 --profile nothing', NOENT, "'nothing'"),
    ('run --group x86 --profile ../smoke', NOENT, '../smoke'),
    ('run --group x86 --workload delete', INVAL, "'delete'"),
    ('run --group x86 --size 0', INVAL, "'0'"),
    ('run --group x86 --size 4Q', INVAL, "'4Q'"),
    ('run --group x86 --size 1', INVAL, '1'),
    ('run --group x86 --size 1G', INVAL, '1G'),
    ('run --group x86 --concurrency 0', INVAL, '0'),
    ('run --group x86 --concurrency 4/host', INVAL, "'4/host'"),
    ('run --group x86 --concurrency 99999', INVAL, '99999'),
    ('run --group x86 --duration 1', INVAL, '1 s'),
    ('run --group x86 --duration -3', INVAL, '-3'),
    ('run --group x86 --duration nan', INVAL, 'nan'),
    ('run --group x86 --duration soon', INVAL, 'soon'),
    ('run --group x86 --duration 1e9', INVAL, '1e+09'),
    ('run --group x86 --rounds 0', INVAL, '0'),
    ('run --group x86 --rounds 41', INVAL, '41'),
    ('run --group x86 --rounds 2.5', INVAL, '2.5'),
    ('run --group x86 --clients 0', INVAL, '0'),
    ('run --group x86 --clients 65', INVAL, '65'),
    ('run --group x86 --clients 8 --concurrency 4', INVAL, '4'),
    ('run --group x86 --seed -1', INVAL, '-1'),
    ('run --group x86 --replicas 1', INVAL, '1'),
    ('run --group x86 --replicas 4', INVAL, '4'),
    ('run --group x86 --ec-profile nothing', NOENT, "'nothing'"),
    ('run --group x86 --ec-profile wide', INVAL, "'wide'"),
    ('run --group x86 --ec-profile default --replicas 2', INVAL, '2'),
    ('run --group x86 --pg-num 0', INVAL, '0'),
    ('run --group x86 --pg-num 3', INVAL, '3'),
    ('run --group x86 --pg-num 99999', INVAL, '99999'),
    ('run --group x86 --group alt --control', INVAL, 'alt'),
    ('run --group x86 --label %s' % ('l' * 500), INVAL, '--label'),
    ("run --group x86 --label 'two\nlines'", INVAL, '--label'),
    ('run --group x86 --colour red', INVAL, 'colour'),
    ('run --group x86 --format xml', INVAL, 'xml'),
    ('run --group x86 --yes-i-really-mean-it=maybe', INVAL, 'maybe'),
]

RESULTS: List[Wrong] = [
    ('show', INVAL, 'run'),
    ('show 00000000', NOENT, '00000000'),
    ("show ';drop table'", NOENT, 'drop'),
    ('cancel 00000000', NOENT, '00000000'),
    ('stop', NOENT, 'no run'),
    ('stop --now', NOENT, 'no run'),
    ('rm 00000000', NOENT, '00000000'),
    ('export 00000000', NOENT, '00000000'),
    ('import', INVAL, '-i'),
    ('ls --limit 0', INVAL, '0'),
    ('ls --limit 100000', INVAL, '100000'),
    ('ls --offset -1', INVAL, '-1'),
    ('compare x86', INVAL, 'candidate'),
    ('compare x86 nobody', NOENT, 'no stored run'),
    ('compare x86@00000000 alt@00000000', NOENT, '00000000'),
    ('compare x86@ alt', INVAL, "'x86@'"),
    ('compare x86 alt --run 00000000', NOENT, '00000000'),
    ('profile show nothing', NOENT, "'nothing'"),
    ('profile export nothing', NOENT, "'nothing'"),
    ('profile set mine', INVAL, '-i'),
    ('profile set quick', EXIST, "'quick'"),
    ('profile rm quick', INVAL, 'built in'),
    ('profile rm nothing', NOENT, "'nothing'"),
    ('preflight', INVAL, 'group'),
    ('preflight --group nobody', NOENT, "'nobody'"),
    ('frobnicate', INVAL, 'no valid command'),
]

ALL = GROUPS + RUNS + RESULTS
