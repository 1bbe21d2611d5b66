"""Pages come whole, in time, from where they were asked, or not at all."""

import http.server
import threading
import time

import pytest

from perfcompare.worker.scrape.fetch import FetchError, Page, check_url


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answer):
        super().__init__(('127.0.0.1', 0), Handler)
        self.answer = answer
        threading.Thread(
            target=self.serve_forever, args=(0.05,), daemon=True
        ).start()

    @property
    def url(self):
        return f'http://127.0.0.1:{self.server_port}/metrics?a=1'

    def handle_error(self, request, client_address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        self.server.answer(self)

    def log_message(self, *args):
        pass


@pytest.fixture
def serve():
    made = []

    def start(answer, **options):
        made.append(Server(answer))
        return Page(made[-1].url, **options)

    yield start
    for server in made:
        server.shutdown()
        server.server_close()


def reply(handler, code, body=b'', length=None, **headers):
    handler.send_response(code)
    size = len(body) if length is None else length
    handler.send_header('Content-Length', str(size))
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


@pytest.mark.process
def test_a_query_of_the_url_is_kept(serve):
    paths = []

    def answer(handler):
        paths.append(handler.path)
        reply(handler, 200, b'x')

    page = serve(answer)
    assert page.get(5.0) == b'x'
    assert page.get(5.0, 'b=2') == b'x'
    assert paths == ['/metrics?a=1', '/metrics?a=1&b=2']


@pytest.mark.process
def test_a_connection_that_was_closed_meanwhile_is_made_anew(serve):
    def answer(handler):
        reply(handler, 200, b'x')
        handler.close_connection = True  # without saying so

    page = serve(answer)
    for _ in range(3):
        assert page.get(5.0) == b'x'
        time.sleep(0.05)


@pytest.mark.process
@pytest.mark.parametrize('code', [301, 401, 404, 503])
def test_anything_but_success_is_a_problem(serve, code):
    page = serve(lambda h: reply(h, code, b'no', Location='http://h/'))
    with pytest.raises(FetchError, match=f'HTTP status {code}'):
        page.get(5.0)


@pytest.mark.process
def test_an_answer_that_is_cut_is_no_answer(serve):
    def answer(handler):
        reply(handler, 200, b'node_load1 1\n', length=100)
        handler.close_connection = True

    with pytest.raises(FetchError):
        serve(answer).get(5.0)


@pytest.mark.process
def test_an_answer_without_end_stops_at_the_limit(serve):
    page = serve(lambda h: reply(h, 200, bytes(2 << 20)), most=1 << 20)
    with pytest.raises(FetchError, match='more than 1 MiB'):
        page.get(10.0)


@pytest.mark.process
def test_an_answer_that_trickles_in_is_too_late(serve):
    def answer(handler):
        reply(handler, 200, b'', length=1000)
        for _ in range(1000):
            handler.wfile.write(b'x')
            time.sleep(0.05)

    page = serve(answer)
    began = time.monotonic()
    with pytest.raises(FetchError, match='no answer within 0.5 s'):
        page.get(0.5)
    assert time.monotonic() - began < 4.0


@pytest.mark.process
def test_what_is_not_http_is_said(serve):
    page = serve(lambda h: h.wfile.write(b'SSH-2.0-OpenSSH_9.2\r\n'))
    with pytest.raises(FetchError, match='no HTTP answer'):
        page.get(2.0)


@pytest.mark.parametrize(
    'url',
    ['', 'http://', 'ftp://h/', 'http://h:0/', 'http://h:99999/',
     'http://u@h/', 'http://h/a b', 'http://h/\n'],
)  # fmt: skip
def test_urls_that_cannot_be_used(url):
    assert check_url(url)


def test_urls_that_can():
    for url in ('http://h', 'https://[::1]:9100/m?x=1', 'http://10.0.0.1/'):
        assert check_url(url) == ''
