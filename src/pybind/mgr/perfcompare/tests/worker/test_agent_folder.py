"""An agent clears a folder of its own, and never the one it is given."""

import pytest

from ...worker.agent import run


@pytest.mark.parametrize('again', [False, True])
def test_what_else_is_in_the_folder_stays(tmp_path, monkeypatch, again):
    seen = []
    monkeypatch.setattr(run.signal, 'signal', lambda *_: None)
    monkeypatch.setattr(
        run.Agent, 'main', lambda self: seen.append(self._folder)
    )
    (tmp_path / 'precious').write_text('x')
    run.serve(lambda text: '', '/c', str(tmp_path))
    (own,) = seen
    if again:
        run.clear(own)
        (tmp_path / own / 'keyring').write_text('left by a former one')
    run.clear(own)
    assert own.startswith(str(tmp_path) + '/perfcompare-agent-')
    assert [p.name for p in (tmp_path / own).iterdir()] == []
    assert (tmp_path / 'precious').read_text() == 'x'
