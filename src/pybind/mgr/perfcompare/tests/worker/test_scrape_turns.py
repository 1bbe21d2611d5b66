"""When exporters are asked again: those that are slow rest, or wait."""

import dataclasses
import math
import threading

import pytest

from perfcompare.tests.fakes.clock import FakeClock
from perfcompare.worker.scrape import further, hosts
from perfcompare.worker.scrape.fetch import FetchError, NoAnswer
from perfcompare.worker.scrape.further import (
    CARRIED,
    TRIES,
    FurtherExporter,
)
from perfcompare.worker.scrape.hosts import HostPoll
from perfcompare.worker.scrape.turns import Turns
from perfcompare.worker.wire.scrape_jobs import Past, Target

NODE = b'node_load1 1\n'
WATTS = b'ipmi_dcmi_power_consumption_watts{id="1"} 410\n'
URL = 'http://h/metrics'


class Answers:
    """Be pages that need a time, and give a body; None is no answer."""

    def __init__(self, monkeypatch):
        self.clock = FakeClock()
        self.seconds, self.body = 0.1, NODE
        for module in (hosts, further):
            monkeypatch.setattr(module, 'time', self.clock)
            monkeypatch.setattr(module, 'Page', lambda *_: self)

    def get(self, timeout):
        if self.body is None:
            self.clock.now += timeout
            raise NoAnswer(f'no answer within {timeout:.1f} s')
        self.clock.now += self.seconds
        if not self.body:
            raise FetchError('Connection refused')
        return self.body

    def pause(self, one, timeout):
        """Ask it, and return for how long it will not be asked."""
        one.poll(timeout)
        return max(0.0, one.due - self.clock.now)


@pytest.fixture
def answers(monkeypatch):
    return Answers(monkeypatch)


def host(more=()):
    return HostPoll(Target('h', URL, more=more), URL, None, {}, lambda t: t)


def test_a_host_that_does_not_answer_waits_ever_longer(answers):
    poll, answers.body = host(), None
    waits = [answers.pause(poll, 4.0) for _ in range(6)]
    assert waits == pytest.approx([4.0, 8.0, 16.0, 32.0, 60.0, 60.0])
    answers.body = NODE
    assert answers.pause(poll, 4.0) == 0.0 and len(poll.readings) == 1
    answers.body = None
    assert answers.pause(poll, 4.0) == pytest.approx(4.0)


def test_a_host_that_refuses_at_once_is_asked_every_time(answers):
    poll, answers.body = host(), b''
    assert [answers.pause(poll, 4.0) for _ in range(2)] == [0.0, 0.0]
    assert poll.failed == 2


@pytest.mark.parametrize(
    'seconds, rest', [(0.05, 0.5), (3.0, 30.0), (20.0, 60.0)]
)
def test_a_further_exporter_rests_for_most_of_the_time(
    answers, seconds, rest
):
    answers.body, answers.seconds = WATTS, seconds
    one = FurtherExporter(URL, None, {})
    assert answers.pause(one, 30.0) == pytest.approx(rest)


@pytest.mark.parametrize('stamp', ['1' * 400, '1' * 5000])
def test_a_time_that_is_none_is_a_gap_and_a_rest(answers, stamp):
    answers.body = WATTS.rstrip() + f' {stamp}\n'.encode()
    one = FurtherExporter(URL, None, {})
    assert answers.pause(one, 30.0) == pytest.approx(1.0)
    assert one.silent.startswith('line 1: no sample: ')
    poll, answers.body = host(), NODE.rstrip() + f' {stamp}\n'.encode()
    poll.poll(4.0)
    assert (poll.failed, poll.readings) == (1, [])


def test_whatever_goes_wrong_is_a_gap_and_a_rest(answers, monkeypatch):
    def fail(timeout):
        raise OverflowError

    monkeypatch.setattr(answers, 'get', fail)
    one, poll = FurtherExporter(URL, None, {}), host()
    for asked in (one, poll):
        asked.poll(4.0)
    assert one.silent == poll.problem == 'OverflowError'
    assert one.past.unanswered == 0


def test_a_further_exporter_that_does_not_answer_rests_for_a_minute(answers):
    one, answers.body = FurtherExporter(URL, None, {}), None
    assert one.silent == 'it was not asked'
    assert answers.pause(one, 30.0) == pytest.approx(60.0)
    assert one.silent == 'no answer within 30.0 s'


def test_a_further_exporter_that_hangs_is_asked_no_more(answers):
    one, answers.body = FurtherExporter(URL, None, {}), None
    assert answers.pause(one, 30.0) < math.inf
    answers.body = WATTS
    one.poll(30.0)
    assert one.past.unanswered == 0  # what counts is how many in a row
    answers.body = None
    waits = [answers.pause(one, 30.0) for _ in range(TRIES)]
    assert waits == pytest.approx([60.0] * (TRIES - 1) + [math.inf])
    # nor is it in the trials that follow
    after = FurtherExporter(URL, None, {}, one.past)
    after.begin(answers.clock.now)
    assert after.due == math.inf and after.past.unanswered == TRIES
    assert after.silent == (
        '3 requests in a row had no answer: it is asked no more in this run'
    )


def test_a_further_exporter_that_refuses_is_asked_again(answers):
    past = Past(unanswered=TRIES - 1)
    one, answers.body = FurtherExporter(URL, None, {}, past), b''
    for _ in range(TRIES + 1):
        assert answers.pause(one, 30.0) < math.inf
    assert one.past.unanswered == 0


class Short:
    """Be trials of 10 s, which end while an exporter is still asked."""

    def __init__(self, answers, monkeypatch):
        self._answers = answers
        self.past = Past()
        monkeypatch.setattr(answers, 'get', self._get)

    def _get(self, timeout):
        self._answers.clock.now += 10.0
        self.past = self.one.past
        raise NoAnswer('the trial is over')

    def trial(self):
        """Have one go by; say whether the exporter was asked."""
        self.one = FurtherExporter(URL, None, {}, self.past, 10.0)
        self.one.begin(self._answers.clock.now)
        if self.one.due < math.inf:
            self.one.poll(30.0)
            return True
        self.past = self.one.past
        return False


def test_short_trials_do_not_keep_longer_ones_from_power(
    answers, monkeypatch
):
    """A board that takes 12 s was asked no more after three short trials."""
    short = Short(answers, monkeypatch)
    asked = [short.trial() for _ in range(TRIES + 2)]
    assert asked == [True] * TRIES + [False] * 2
    assert short.one.silent == (
        'it had not answered after 10.0 s, more than half of the 10 s that '
        'are measured: it is asked by longer trials only'
    )
    monkeypatch.undo()
    longer = FurtherExporter(URL, None, {}, short.past, 60.0)
    longer.begin(99.0)
    assert longer.due == 99.0


def test_a_board_that_answers_too_late_for_a_trial_is_left_alone(answers):
    answers.body, answers.seconds = WATTS, 12.0
    past = Past()
    for _ in range(TRIES):
        one = FurtherExporter(URL, None, {}, past, 20.0)
        one.begin(0.0)
        assert one.due == 0.0
        one.poll(30.0)
        past = one.past
    one = FurtherExporter(URL, None, {}, past, 20.0)
    one.begin(0.0)
    assert one.due == math.inf
    assert one.silent.startswith('answers take 12.0 s, more than half of ')
    longer = FurtherExporter(URL, None, {}, past, 24.0)
    longer.begin(0.0)
    assert longer.due == 0.0


def test_a_board_that_was_slow_at_first_is_asked_on(answers):
    answers.body, past = WATTS, Past()
    for seconds in (20.0, 1.0, 20.0, 20.0, 20.0):
        one = FurtherExporter(URL, None, {}, past, 20.0)
        one.begin(0.0)
        assert one.due == 0.0
        answers.seconds = seconds
        one.poll(30.0)
        past = one.past


def test_short_trials_stop_asking_what_hangs_since(answers, monkeypatch):
    short = Short(answers, monkeypatch)
    short.past = Past(took=0.5)
    asked = [short.trial() for _ in range(TRIES + 1)]
    assert asked == [True] * TRIES + [False]
    assert short.past.unanswered == TRIES


def test_what_is_under_way_at_an_end_is_not_unanswered(answers, monkeypatch):
    short = Short(answers, monkeypatch)
    short.past = Past(took=8.0)
    short.trial()
    assert (short.past.unanswered, short.past.late) == (0, 1)


def test_what_a_further_exporter_told_holds_for_a_while(answers):
    poll, answers.body = host(more=(URL,)), WATTS
    poll.further[0].poll(30.0)
    answers.body = NODE
    poll.poll(4.0)
    answers.clock.now += CARRIED
    poll.poll(4.0)
    told = [(r.gauges.get('ipmi_watts'), r.held) for _, r in poll.readings]
    assert told == [(410.0, pytest.approx(0.1)), (None, 0.0)]


def test_what_a_further_exporter_told_ends_where_it_fails(answers):
    one, answers.body = FurtherExporter(URL, None, {}), WATTS
    one.poll(30.0)
    assert [s.value for _, s in one.told(answers.clock.now)] == [410.0]
    answers.body = b''
    one.poll(30.0)
    assert one.told(answers.clock.now) == [] and one.silent == ''


def test_a_further_exporter_tells_no_counters(answers):
    """Carried on, they would stand still."""
    answers.body = b'node_rapl_package_joules_total{index="0"} 7\n'
    one = FurtherExporter(URL, None, {})
    one.poll(30.0)
    assert one.silent == 'it shows nothing that is read'


@dataclasses.dataclass(eq=False)
class One:
    """Answer once `free` is set, and then be due at `due`."""

    free: threading.Event
    due: float = 0.0
    pause: float = 0.0
    began: threading.Event = dataclasses.field(
        default_factory=threading.Event
    )
    asked: int = 0

    def poll(self, timeout):
        self.asked += 1
        self.began.set()
        assert self.free.wait(30.0)


def test_one_that_still_answers_skips_its_turn():
    free = threading.Event()
    slow = One(free)
    turns = Turns([slow])
    turns.ask(1.0, 1.0)
    assert slow.began.wait(30.0)
    turns.ask(2.0, 1.0)
    free.set()
    turns.last([], 30.0)
    assert slow.asked == 1


def test_one_that_waits_is_asked_when_it_is_due():
    free = threading.Event()
    free.set()
    one = One(free, due=60.0, pause=60.0)
    turns = Turns([one])
    turns.ask(59.0, 1.0)
    turns.last([], 30.0)
    assert one.asked == 0
    turns.ask(60.0, 1.0)
    assert one.began.wait(30.0)


def test_at_the_end_those_that_answered_come_before_others_that_wait():
    hang, free = threading.Event(), threading.Event()
    free.set()
    silent = [One(hang, pause=4.0) for _ in range(3)]
    live = One(free, due=99.0)
    turns = Turns([*silent, live], threads=2)
    turns.ask(1.0, 1.0)
    assert silent[0].began.wait(30.0) and silent[1].began.wait(30.0)
    threading.Timer(0.2, hang.set).start()
    turns.last([live], 30.0)
    assert [one.asked for one in (*silent, live)] == [1, 1, 0, 1]


def test_at_the_end_nobody_waits_for_those_that_never_answered():
    hang, free = threading.Event(), threading.Event()
    free.set()
    silent, live = One(hang), One(free)
    turns = Turns([silent, live])
    turns.ask(1.0, 1.0)
    turns.last([live], 30.0)
    assert live.asked in (1, 2) and not hang.is_set()
    hang.set()
