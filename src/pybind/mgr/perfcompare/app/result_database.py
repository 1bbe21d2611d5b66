"""Whether the result database would take what a run measures."""

import logging

from ..common.errors import PerfcompareError, TryAgain
from ..guard.collect.facts import ResultDatabase
from ..store.thread import DbThread
from .imports import Imports

log = logging.getLogger(__name__)

IMPORTING = 'a file is being imported: no run starts until it is stored'
PATIENCE = 5.0  # seconds; opening it for the first time takes some


def ask(database: DbThread, imports: Imports) -> ResultDatabase:
    """Return what is known of it before a run; waits a few seconds.

    One that does not answer now may do so later, and writes wait for it;
    any other error is one that each write would meet.
    """
    if imports.under_way:
        return ResultDatabase(problems=(IMPORTING,))
    try:
        database.call(lambda store: store.ready(), PATIENCE)
    except TryAgain as error:
        problems = imports.problems() or (error.message,)
        return ResultDatabase(problems=problems)
    except PerfcompareError as error:
        return ResultDatabase(refused=error.message)
    except Exception as error:
        log.exception('the result database')
        text = ' '.join(str(error).split())
        return ResultDatabase(refused=f'{type(error).__name__}: {text}')
    return ResultDatabase(problems=imports.problems())
