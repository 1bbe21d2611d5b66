"""A trivial S3 server on nginx: takes everything, stores nothing.

Reads give one file of the object's size, whatever their name. What is
measured against it is the client, as nginx needs less CPU than any.
"""

from typing import Any, List, Optional

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

# A short body comes with its request. Before a longer one nginx would answer
# at once, so it is read first, by way of an upstream that is not sent it.
SHORT = 16384
PUT_SHORT = """add_header ETag '"d41d8cd98f00b204e9800998ecf8427e"';
        return 200;"""
PUT_LONG = 'proxy_pass http://taken;'

# Without it nginx gives the memory of bodies back to Linux after each, and
# has it cleared anew for the next: half of its time, and at random.
KEEP = {
    'MALLOC_MMAP_THRESHOLD_': str(32 << 20),
    'MALLOC_TRIM_THRESHOLD_': str(4 << 30),
}

# As many workers as cores, as gateways have threads: one alone is the limit
# of large reads over TLS, and as fast as Linux moves it between cores.
CONF = '''
daemon off;
master_process on;
worker_processes auto;
pid {folder}/pid;
error_log {folder}/error.log crit;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  sendfile on;
  tcp_nodelay on;
  keepalive_requests 100000000;
  client_max_body_size 0;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  default_type application/octet-stream;
  client_body_buffer_size 8m;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_pass_request_body off;
  proxy_set_header Content-Length "";
  upstream taken {{ server unix:{folder}/taken; keepalive 64; }}
  server {{
    listen unix:{folder}/taken;
    location / {{
      add_header ETag '"d41d8cd98f00b204e9800998ecf8427e"';
      return 200;
    }}
  }}
  server {{
    listen 127.0.0.1:{plain} backlog=4096;
    listen 127.0.0.1:{tls} ssl backlog=4096;
    ssl_certificate {folder}/cert.pem;
    ssl_certificate_key {folder}/key.pem;
    root {folder}/data;
    location / {{
      if ($args ~ "^location") {{ return 200 "<LocationConstraint/>"; }}
      if ($request_method = PUT) {{
        {put}
      }}
      if ($request_method = DELETE) {{ return 204; }}
      rewrite ^ /object break;
    }}
  }}
}}
'''


def free_port() -> int:
    """Return a port that nobody has now."""
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return int(probe.getsockname()[1])


class Sink:
    """Be up while the context lasts; ``size`` is that of all objects."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._process: Optional['subprocess.Popen[bytes]'] = None
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='pc-sink-'))
        self.plain = free_port()
        self.tls = free_port()

    def __enter__(self) -> 'Sink':
        if shutil.which('nginx') is None:
            raise SystemExit('needs nginx (package nginx-light)')
        # its worker process is another user, where this one is root
        self.folder.chmod(0o755)
        data = self.folder / 'data'
        data.mkdir()
        (data / 'object').write_bytes(os.urandom(self._size))
        subprocess.run(
            ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes',
             '-keyout', str(self.folder / 'key.pem'), '-days', '1',
             '-out', str(self.folder / 'cert.pem'), '-subj', '/CN=localhost',
             '-addext', 'subjectAltName=IP:127.0.0.1'],
            check=True,
            capture_output=True,
        )  # fmt: skip
        conf = self.folder / 'nginx.conf'
        conf.write_text(
            CONF.format(
                folder=self.folder,
                plain=self.plain,
                tls=self.tls,
                put=PUT_SHORT if self._size <= SHORT else PUT_LONG,
            )
        )
        self._process = subprocess.Popen(
            ['nginx', '-c', str(conf)],
            start_new_session=True,
            env=dict(os.environ, **KEEP),
        )
        deadline = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(('127.0.0.1', self.tls), 1).close()
                return self
            except OSError:
                if time.monotonic() > deadline:
                    self.__exit__()
                    raise SystemExit('nginx does not start') from None
                time.sleep(0.05)

    def __exit__(self, *_: Any) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def group(self) -> int:
        """Return the process group of nginx."""
        assert self._process is not None
        return self._process.pid

    def stall(self, seconds: float) -> List[float]:
        """Stop answering for a while; return begin and end (Unix time)."""
        begin = time.time()
        os.killpg(self.group, signal.SIGSTOP)
        try:
            time.sleep(seconds)
        finally:
            os.killpg(self.group, signal.SIGCONT)
        return [begin, time.time()]
