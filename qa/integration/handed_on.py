"""Commands of a program that runs `ceph` many times, by the tool that stays.

A start of the tool takes a third of a second of CPU; one of what is given to
the program in its place takes a twentieth of that. Of commands that are given
at one time one goes to the tool that stays, and the others start it anew.
"""

from typing import Iterator

import contextlib
import json
import shlex
import socketserver
import sys
import threading

from .live import LiveCluster

# as the tool: the same words, output and exit code
ASK = '''
import json, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect(sys.argv[1])
    line.sendall(json.dumps(sys.argv[2:]).encode() + b"\\n")
    answer = json.loads(line.makefile().readline())
sys.stdout.write(answer["out"])
sys.stderr.write(answer["err"])
sys.exit(answer["rc"])
'''


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Answer several commands at one time."""

    request_queue_size = 32


@contextlib.contextmanager
def by_the_kept_tool(cluster: LiveCluster) -> Iterator[str]:
    """Yield a command line that does what `ceph` does inside a cluster."""

    class Answer(socketserver.StreamRequestHandler):
        """Give one command to the tool."""

        def handle(self) -> None:
            """Answer the words of one line."""
            done = cluster.exec(['ceph', *json.loads(self.rfile.readline())])
            told = {
                'rc': done.returncode,
                'out': done.stdout,
                'err': done.stderr,
            }
            self.wfile.write(json.dumps(told).encode() + b'\n')

    path = cluster.dir / 'tmp' / 'ceph.asked'
    with Server(str(path), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.1,))
        thread.start()
        try:
            yield shlex.join(
                [sys.executable, '-I', '-S', '-c', ASK, str(path)]
            )
        finally:
            server.shutdown()
            thread.join()
            path.unlink()
