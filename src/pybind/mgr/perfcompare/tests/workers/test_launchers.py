"""How long a run waits for its load hosts."""

from typing import Callable, Optional

import pytest

from ...worker.agent.conversation import Conversation
from ...worker.wire.agents import HostFacts, program_digest
from ...workers import launchers
from ...workers.control import Control
from ...workers.host_link import HostLink
from ..fakes.clock import FakeClock


def spoken(link: HostLink) -> None:
    talk = Conversation('b' * 16, program_digest())
    facts = HostFacts('h1', 'x', '6', 'cpu', 8.0)
    link.sync(talk.message(facts, None))


def disabled(link: HostLink) -> None:
    link.lose('load host h1 was disabled')


def of_another_version(link: HostLink) -> None:
    link.other_version = True


@pytest.mark.parametrize(
    'became, least, most',
    [
        (spoken, 0.0, 0.0),
        (disabled, 0.0, 0.0),
        # it may be started anew, with files that were replaced
        (of_another_version, launchers.RENEWED, launchers.RENEWED + 2.0),
        (None, 120.0, 122.0),
    ],
)
def test_hosts_that_cannot_come_are_not_waited_for(
    became: Optional[Callable[[HostLink], None]], least: float, most: float
) -> None:
    clock = FakeClock()
    link = HostLink('h1', 'e' * 16, clock, program_digest())
    if became is not None:
        became(link)
    begin = clock.monotonic()
    launchers.heard([link], Control(clock), 120.0, lambda: None)
    assert least <= clock.monotonic() - begin <= most
