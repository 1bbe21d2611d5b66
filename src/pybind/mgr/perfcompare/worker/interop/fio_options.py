"""fio: the options by which jobs are known to do the same.

Rounds have them all in common. Left out is what names, orders or records
jobs, and what may be a secret: names and notes show the others.
"""

from typing import Any, Dict, Mapping, Sequence, Set

import re

_NO_LOAD = frozenset(
    (
        'bwavgtime',
        'clat_percentiles',
        'comm',
        'create_serialize',
        'description',
        'disk_util',
        'error_dump',
        'exec_postrun',
        'exec_prerun',
        'exit_what',
        'exitall',
        'exitall_on_error',
        'group_reporting',
        'iopsavgtime',
        'job_start_clock_id',
        'kb_base',
        'lat_percentiles',
        'name',
        'new_group',
        'per_job_logs',
        'percentile_list',
        'randseed',
        'significant_figures',
        'slat_percentiles',
        'startdelay',
        'stats',
        'stonewall',
        'unified_rw_reporting',
        'unit_base',
        'unlink',
        'wait_for',
        'wait_for_previous',
    )
)
_RECORDED = re.compile(r'log_|write_\w+_log\Z')
_SECRET = re.compile(r'pass|key|token|secret|user')


def settings(jobs: Sequence[Mapping[str, Any]]) -> Dict[str, str]:
    """Return options of jobs that ran together, by name: all their values."""
    found: Dict[str, Set[str]] = {}
    for job in jobs:
        for name, value in job['job options'].items():
            found.setdefault(name, set()).add(str(value).strip())
    return {
        name: ','.join(sorted(values))
        for name, values in found.items()
        if name not in _NO_LOAD
        and not _RECORDED.match(name)
        and not _SECRET.search(name)
    }
