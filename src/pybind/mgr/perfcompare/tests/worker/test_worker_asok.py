"""What workers ask daemons by their admin sockets."""

import json
import os
import socket
import struct
import threading
import time

import pytest

from perfcompare.worker.loads.rados.asok import ask
from perfcompare.worker.loads.rados.monitor import stuck_text


def serve(path, reply, delay=0.0):
    server = socket.socket(socket.AF_UNIX)
    here = os.getcwd()
    os.chdir(os.path.dirname(path))
    try:
        server.bind(os.path.basename(path))
    finally:
        os.chdir(here)
    server.listen(5)

    def run():
        peer, _ = server.accept()
        assert peer.recv(4096).endswith(b'\0')
        time.sleep(delay)
        body = json.dumps(reply).encode()
        data = struct.pack('>I', len(body)) + body
        try:
            for i in range(0, len(data), 5):
                peer.sendall(data[i : i + 5])
            peer.close()
        except OSError:
            pass

    threading.Thread(target=run, daemon=True).start()


@pytest.mark.process
def test_sockets_are_asked_at_once_also_in_deep_folders(tmp_path):
    deep = tmp_path / ('d' * 120)
    deep.mkdir()
    serve(str(deep / 'a'), {'n': 1})
    serve(str(deep / 'b'), {'n': 2})
    serve(str(deep / 'late'), {'n': 3}, 5.0)
    (deep / 'dead').touch()
    begin = time.monotonic()
    replies = ask(
        str(deep),
        {k: k for k in ('a', 'b', 'late', 'dead', 'none')},
        0.5,
        prefix='x',
    )
    assert {k: r for k, (_, r) in replies.items()} == {
        'a': {'n': 1},
        'b': {'n': 2},
    }
    assert 0.4 < time.monotonic() - begin < 4.0


def test_stuck_operations_name_their_osds():
    def op(osd, paused=0):
        return {'osd': osd, 'paused': paused, 'age': 12.0}

    text = stuck_text([{'ops': [op(3), op(3)]}, {'ops': [op(1)]}], 2)
    assert (
        text
        == '3 operations wait, the oldest for 12 s, on osd.3 (2), osd.1 (1)'
    )
    assert 'full' in stuck_text([{'ops': [op(-1, 1)]}], 1)
    never_sent = {'osd': -1, 'paused': 1, 'age': 4005.0, 'attempts': 0}
    assert '4005' not in stuck_text([{'ops': [never_sent]}], 1)
    assert 'no OSD (1)' in stuck_text([{'ops': [op(-1)]}], 1)
    assert 'does not answer' in stuck_text([], 1)
    assert stuck_text([{'ops': []}], 1) == 'no operation is waiting'
