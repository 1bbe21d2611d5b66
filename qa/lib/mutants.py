"""Choose what cosmic-ray changes, and tell what no test noticed.

Decorators that are left out are skipped, and what would change the ``|``
of flags and of type annotations only.
"""

from typing import List

import random
import re
import sqlite3
import sys

SKIPPED = ('RemoveDecorator', 'ReplaceBinaryOperator_BitOr')


def choose(path: str, sample: int, seed: int) -> None:
    """Leave ``sample`` changes in a session; 0 is all."""
    with sqlite3.connect(path) as db:
        rows = db.execute(
            'SELECT job_id, operator_name FROM mutation_specs ORDER BY job_id'
        ).fetchall()
        wanted = [
            job
            for job, name in rows
            if not any(skip in name for skip in SKIPPED)
        ]
        if sample and sample < len(wanted):
            wanted = random.Random(seed).sample(wanted, sample)
        kept = set(wanted)
        for job, _ in rows:
            if job not in kept:
                for table in ('mutation_specs', 'work_items'):
                    db.execute(
                        f'DELETE FROM {table} WHERE job_id = ?', (job,)
                    )
    print(f'{len(kept)} of {len(rows)} changes', flush=True)


def tell(path: str) -> int:
    """Print the changes that survived, and the share that was noticed."""
    with sqlite3.connect(path) as db:
        rows = db.execute(
            'SELECT s.module_path, s.start_pos_row, s.operator_name, '
            'r.test_outcome, r.diff FROM mutation_specs s '
            'JOIN work_results r ON r.job_id = s.job_id '
            'ORDER BY s.start_pos_row'
        ).fetchall()
    killed = 0
    for module, row, name, outcome, diff in rows:
        if 'KILLED' in str(outcome).upper():
            killed += 1
            continue
        print(f'{module}:{row} {name.rpartition("/")[2]}: {outcome}')
        for line in (diff or '').split('\n'):
            if re.match(r'[-+][^-+]', line):
                print('    ' + line)
    print(f'{killed} of {len(rows)} noticed')
    return 0 if killed == len(rows) else 1


def main(words: List[str]) -> int:
    """Do what the first word says."""
    if words[0] == 'choose':
        choose(words[1], int(words[2]), int(words[3]))
        return 0
    return tell(words[1])


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
