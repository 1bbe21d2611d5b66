"""What a check of the preflight gets and what it answers."""

from typing import List, NamedTuple, Optional

import dataclasses
import enum

from ...common.settings import Settings
from ...model.plan import RunPlan
from ..collect.facts import Facts


class Severity(str, enum.Enum):
    """Grade what a check of the preflight found."""

    OK = 'ok'
    INFO = 'info'
    WARN = 'warn'
    REFUSE = 'refuse'


class Finding(NamedTuple):
    """Say what a check found, how grave it is and what helps."""

    severity: Severity
    message: str
    remedy: str = ''


Findings = List[Finding]


@dataclasses.dataclass(frozen=True)
class CheckContext:
    """Hold all that a check may look at."""

    facts: Facts
    plan: RunPlan
    settings: Settings = Settings()
    active_run: Optional[str] = None  # id of the run under way


def ok(message: str) -> Finding:
    """Say that all is well."""
    return Finding(Severity.OK, message)


def info(message: str, remedy: str = '') -> Finding:
    """Record something that changes nothing."""
    return Finding(Severity.INFO, message, remedy)


def warn(message: str, remedy: str = '') -> Finding:
    """Warn of something that the operator should know."""
    return Finding(Severity.WARN, message, remedy)


def refuse(message: str, remedy: str) -> Finding:
    """Refuse the run; the remedy says what to do."""
    return Finding(Severity.REFUSE, message, remedy)
