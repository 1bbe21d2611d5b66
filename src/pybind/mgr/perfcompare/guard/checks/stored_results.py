"""Whether what a run measures can be stored."""

from .finding import CheckContext, Findings, ok, refuse, warn


def stored_results(s: CheckContext) -> Findings:
    """Refuse load of which nothing would be kept; warn of what is slow."""
    database = s.facts.result_database
    if database is None:  # not asked: a run under way does not wait for it
        return []
    if database.refused:
        return [
            refuse(
                f'no result could be stored: {database.refused}',
                'a run would load the cluster for nothing; once '
                '`ceph perfcompare ls` lists results, runs can start',
            )
        ]
    return [
        warn(problem, 'results of a run may come late, or be lost')
        for problem in database.problems
    ] or [ok('the result database answers')]
