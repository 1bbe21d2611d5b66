"""Exporters and a Prometheus server on the loopback."""

import http.server
import json
import threading
import time
import urllib.parse

from ..worker.test_scrape_node import text


class Exporter(http.server.ThreadingHTTPServer):
    """A host whose counters run with the clock."""

    daemon_threads = True

    def __init__(self, context=None, **behavior):
        super().__init__(('127.0.0.1', 0), Handler)
        if context is not None:
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.secure = context is not None
        self.behavior = behavior
        self.began = time.monotonic()
        self.seen = []
        self.connections = 0
        self.running = self.most = 0  # requests at the same time
        self.lock = threading.Lock()  # of seen, running and most
        threading.Thread(
            target=self.serve_forever, args=(0.05,), daemon=True
        ).start()

    @property
    def url(self):
        scheme = 'https' if self.secure else 'http'
        return f'{scheme}://127.0.0.1:{self.server_port}/metrics'

    def process_request(self, request, client_address):
        self.connections += 1
        super().process_request(request, client_address)

    def handle_error(self, request, client_address):
        pass  # clients that refuse our certificate


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        server, behavior = self.server, self.server.behavior
        with server.lock:
            server.seen.append(dict(self.headers))
            number = len(server.seen)
        path = urllib.parse.urlsplit(self.path)
        if path.path.startswith('/api/'):
            return self._api(path)
        if number in behavior.get('fail', ()):
            return self._answer(503, b'')
        with server.lock:
            server.running += 1
            server.most = max(server.most, server.running)
        time.sleep(behavior.get('delay', 0.0))
        with server.lock:
            server.running -= 1
        now = time.monotonic() - server.began + 100.0
        body = behavior.get('body') or text(now).encode()
        if behavior.get('cut'):
            body = body[:-5]
        self._answer(200, body)

    def _api(self, path):
        if path.path.endswith('/targets'):
            data = {'activeTargets': self.server.behavior['targets']}
        else:
            asked = urllib.parse.parse_qs(path.query)
            (query,) = asked['query']
            assert 'instance="arm-' in query
            hangs = self.server.behavior.get('hangs')
            if hangs and f'instance="{hangs}"' in query:
                time.sleep(60.0)
            end = float(asked['time'][0])
            data = {'resultType': 'matrix', 'result': matrix(end)}
        body = json.dumps({'status': 'success', 'data': data}).encode()
        self._answer(200, body)

    def _answer(self, code, body):
        self.send_response(code)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def matrix(end):
    """Return a busy core every 10 s, as a Prometheus server tells it."""
    times = [end - 60 + 10 * i for i in range(7)]
    return [
        {
            'metric': {
                '__name__': 'node_cpu_seconds_total',
                'cpu': '0',
                'mode': mode,
            },
            'values': [[t, str(share * t)] for t in times],
        }
        for mode, share in (('idle', 0.25), ('user', 0.75))
    ]
