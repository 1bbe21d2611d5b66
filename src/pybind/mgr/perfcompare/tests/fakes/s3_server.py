"""A small S3-like server with faults to order, for tests."""

from typing import Callable, Dict, List, Optional, Set, Tuple

import collections
import hashlib
import re
import socket
import ssl
import threading
import time
import urllib.parse

from . import aws_chunked

# method, path, body -> None: behave; else what to send (b'': hang up)
Fault = Callable[[bytes, bytes, int], Optional[bytes]]

KEY = b'x-amz-server-side-encryption-customer-key'
SOURCE = b'x-amz-copy-source-server-side-encryption-customer-key'


class S3Server:
    """Keep objects in memory; one thread per connection."""

    def __init__(
        self,
        family: int = socket.AF_INET,
        tls: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._tls = tls
        self.objects: Dict[bytes, bytes] = {}
        self.locks: Dict[bytes, bytes] = {}  # keys of objects, by SSE-C
        self.tags: Dict[bytes, bytes] = {}
        self.encrypts = True  # else it stores what it is told to encrypt
        self.uploads: Dict[bytes, Tuple[bytes, Dict[int, bytes]]] = {}
        self.peak = 0  # parts that came at a time
        self._parts = 0
        self.part_pause = 0.0  # seconds that a part takes
        self.fault: Fault = lambda method, path, serial: None
        self.stall_until = 0.0  # monotonic
        self.serial = 0
        self.begun = 0  # uploads in parts
        self.pause = 0.0  # seconds between head and content
        self.rest = 0.0  # seconds before an answer
        self.domain = b''  # in which buckets are hosts
        self.drip = 0  # bytes that are sent at once, 0: all
        self.last = -1  # the request after which its connection closes
        self.not_signed = 0
        self.sums: Dict[bytes, int] = collections.Counter()  # verified
        self.kinds: Set[bytes] = set()  # of contents in chunks
        self.verifies = True  # checksums of contents
        self.dates: List[bytes] = []  # of the signatures
        self._lock = threading.Lock()
        self._sock = socket.socket(family, socket.SOCK_STREAM)
        self._sock.bind(
            ('127.0.0.1' if family == socket.AF_INET else '::1', 0)
        )
        self._sock.listen(512)
        self.host, self.port = self._sock.getsockname()[:2]
        self._closed = False
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Accept no more."""
        if not self._closed:
            self._closed = True
            self._sock.shutdown(socket.SHUT_RDWR)  # wakes accept() up
            self._sock.close()

    def _accept(self) -> None:
        while not self._closed:
            try:
                sock, _ = self._sock.accept()
            except OSError:
                return
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(
                target=self._serve, args=(sock,), daemon=True
            ).start()

    def _serve(self, sock: socket.socket) -> None:
        if self._tls is not None:
            try:
                sock = self._tls.wrap_socket(sock, server_side=True)
            except OSError:  # a client that does not trust us
                return
        stream = sock.makefile('rb')
        try:
            while True:
                line = stream.readline().split(b' ')
                if len(line) != 3:
                    return
                headers = {}
                while True:
                    text = stream.readline().strip()
                    if not text:
                        break
                    name, _, value = text.partition(b':')
                    headers[name.lower()] = value.strip()
                line[1] = self._path(line[1], headers.get(b'host', b''))
                size = int(headers.get(b'content-length', b'0'))
                body = stream.read(size) if size else b''
                self.dates.append(headers.get(b'x-amz-date', b''))
                with self._lock:
                    if b'authorization' not in headers:
                        self.not_signed += 1
                    self.serial += 1
                    serial = self.serial
                wait = self.stall_until - time.monotonic()
                if wait > 0:
                    time.sleep(wait)
                reply = self.fault(line[0], line[1], serial)
                if headers.get(b'content-encoding') == b'aws-chunked':
                    self.kinds.add(headers[b'x-amz-content-sha256'])
                    try:
                        body, name = aws_chunked.decode(body, headers)
                        with self._lock:  # Counter's first is not atomic
                            self.sums[name] += 1
                    except ValueError as error:
                        if self.verifies or str(error) != 'BadDigest':
                            reply = _refusal(str(error))
                if reply is None:
                    reply = self._locked(line[0], line[1], headers)
                if reply is None:
                    reply = self._answer(line[0], line[1], body, headers)
                    if KEY in headers and line[0] == b'GET' and self.encrypts:
                        said = b'\r\n' + KEY[:-3] + b'algorithm: AES256\r\n'
                        reply = reply.replace(b'\r\n', said, 1)
                if not reply:
                    return
                time.sleep(self.rest)
                if self.pause:
                    head, between, reply = reply.partition(b'\r\n\r\n')
                    sock.sendall(head + between)
                    time.sleep(self.pause)
                step = self.drip or len(reply)
                for at in range(0, len(reply), step):
                    sock.sendall(reply[at : at + step])
                if serial == self.last:
                    return
        except OSError:
            return
        finally:
            sock.close()
            stream.close()

    def _path(self, path: bytes, host: bytes) -> bytes:
        """Return the path of what a request names in its host."""
        bucket, _, rest = host.partition(b':')[0].partition(b'.')
        if not self.domain or rest != self.domain:
            return path
        return b'/' + bucket + (path if path[1:2] not in b'?' else path[1:])

    def _locked(
        self, method: bytes, target: bytes, headers: Dict[bytes, bytes]
    ) -> Optional[bytes]:
        """Refuse who has not the key of an object; note keys and tags."""
        path, _, query = target.partition(b'?')
        key = headers.get(KEY, b'')
        if not self.encrypts or query == b'delete=':
            return None
        source = headers.get(b'x-amz-copy-source')
        if source is not None:
            copied = headers.get(SOURCE, b'')
            if self.locks.get(source, b'') != copied:
                return _refusal('InvalidRequest')
            self.locks[path] = key
        elif method == b'PUT' and not query or query == b'uploads=':
            self.locks[path] = key
            self.tags[path] = headers.get(b'x-amz-tagging', b'')
        elif method in (b'GET', b'HEAD', b'PUT', b'POST'):
            if query != b'tagging=' and self.locks.get(path, b'') != key:
                return _refusal('InvalidArgument')
        return None

    def _answer(
        self,
        method: bytes,
        path: bytes,
        body: bytes,
        headers: Dict[bytes, bytes],
    ) -> bytes:
        head = b'HTTP/1.1 %b\r\nContent-Length: %d\r\n\r\n'
        path, _, query = path.partition(b'?')
        if b'partNumber=' in query:
            with self._lock:
                self._parts += 1
                self.peak = max(self.peak, self._parts)
            time.sleep(self.part_pause)
            with self._lock:
                self._parts -= 1
        with self._lock:
            if query:
                return self._asked(method, path, query, body)
            source = headers.get(b'x-amz-copy-source')
            if source is not None:
                self.objects[path] = self.objects[source]
                text = (
                    b'<?xml version="1.0"?><CopyObjectResult xmlns="x">'
                    b'<Progress>1</Progress><ETag>"e"</ETag>'
                    b'</CopyObjectResult>'
                )
                return head % (b'200 OK', len(text)) + text
            span = headers.get(b'range')
            if span is not None and path in self.objects:
                first, _, last = span[6:].partition(b'-')
                content = self.objects[path][int(first) : int(last) + 1]
                line = b'206 X\r\nContent-Range: bytes %b-%b/9' % (
                    first,
                    last,
                )
                return head % (line, len(content)) + content
            if method == b'PUT':
                self.objects[path] = body
                tag = hashlib.md5(body).hexdigest().encode()
                return head % (b'200 OK\r\nETag: "%b"' % tag, 0)
            content = self.objects.get(path)
            if content is None:
                text = b'<Error><Code>NoSuchKey</Code></Error>'
                if method == b'HEAD':
                    return head % (b'404 Not Found', len(text))
                return head % (b'404 Not Found', len(text)) + text
            if method == b'DELETE':
                del self.objects[path]
                return b'HTTP/1.1 204 No Content\r\n\r\n'
            found = head % (b'200 OK', len(content))
            return found if method == b'HEAD' else found + content

    def _asked(
        self, method: bytes, path: bytes, query: bytes, body: bytes
    ) -> bytes:
        values = dict(urllib.parse.parse_qsl(query.decode(), True))
        bucket, text = path + b'/', b''
        extra = b''
        status = b'200 OK'
        if 'tagging' in values:
            text = b'<Tag></Tag>' * len(self.tags[path].split(b'&'))
        elif 'list-type' in values:
            after = values.get('start-after', '').encode()
            names = sorted(
                k[len(bucket) :]
                for k in list(self.objects)
                if k.startswith(bucket + values['prefix'].encode())
            )
            names = [n for n in names if n > after]
            names = names[: int(values['max-keys'])]
            text = b'<ListBucketResult>%b</ListBucketResult>' % b''.join(
                b'<Contents><Key>%b</Key></Contents>' % n for n in names
            )
        elif 'delete' in values:
            for name in re.findall(rb'<Key>([^<]*)</Key>', body):
                self.objects.pop(bucket + name, None)
                text += b'<Deleted><Key>%b</Key></Deleted>' % name
            text = b'<DeleteResult>%b</DeleteResult>' % text
        elif 'partNumber' in values:
            _, parts = self.uploads[values['uploadId'].encode()]
            parts[int(values['partNumber'])] = body
            extra = b'ETag: "%b"\r\n' % values['partNumber'].encode()
        elif 'uploads' in values and method == b'POST':
            self.begun += 1
            name = b'2~%d/+' % self.begun
            self.uploads[name] = path, {}
            text = b'<UploadId>%b</UploadId>' % name
        elif 'uploads' in values:
            text = b'<R><IsTruncated>false</IsTruncated>%b</R>' % b''.join(
                b'<Upload><Key>%b</Key><UploadId>%b</UploadId></Upload>'
                % (name[len(bucket) :], upload)
                for upload, (name, _) in self.uploads.items()
            )
        elif method == b'DELETE':
            del self.uploads[values['uploadId'].encode()]
            status = b'204 No Content'
        else:
            path, parts = self.uploads.pop(values['uploadId'].encode())
            named = re.findall(rb'<PartNumber>(\d+)</PartNumber>', body)
            assert [int(n) for n in named] == sorted(parts)
            self.objects[path] = b''.join(parts[n] for n in sorted(parts))
            text = b'<ETag>&quot;%b-%d&quot;</ETag>' % (b'a' * 32, len(parts))
            name = b'CompleteMultipartUploadResult'
            text = b'<%b>%b</%b>' % (name, text, name)
        return b'HTTP/1.1 %b\r\n%bContent-Length: %d\r\n\r\n%b' % (
            status,
            extra,
            len(text),
            text,
        )


def _refusal(code: str) -> bytes:
    text = b'<Error><Code>%b</Code></Error>' % code.encode()
    return b'HTTP/1.1 400 X\r\nContent-Length: %d\r\n\r\n%b' % (
        len(text),
        text,
    )


SLOW_DOWN: Tuple[bytes, ...] = (
    b'HTTP/1.1 503 Slow Down\r\nContent-Length: 28\r\n\r\n'
    b'<Error><Code>SlowDown</Code>',
)
