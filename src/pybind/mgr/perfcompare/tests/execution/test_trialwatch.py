"""What watches a trial from beside."""

from perfcompare.execution.watches import ConditionalProbe
from perfcompare.ports.trial_watch import Evidence


class Watch:
    """Note what is called."""

    def __init__(self):
        self.calls = []

    def begin(self, context):
        self.calls.append('begin')

    def tick(self):
        self.calls.append('tick')

    def end(self, outcome):
        self.calls.append('end')
        return Evidence({'seen': 1})

    def close(self):
        self.calls.append('close')


def trial(watch):
    watch.begin(None)
    watch.tick()
    return watch.end(None).figures


def test_option_holds_from_the_next_trial_on():
    inner, wanted = Watch(), [False]
    watch = ConditionalProbe(inner, lambda: wanted[0])
    watch.begin(None)
    wanted[0] = True
    watch.tick()
    assert watch.end(None).figures == {}
    assert inner.calls == []
    assert trial(watch) == {'seen': 1}
    wanted[0] = False
    assert trial(watch) == {}
    watch.close()
    assert inner.calls == ['begin', 'tick', 'end', 'close']
