"""A stand-in for `rados` that makes no load, for tests of processes.

Its -c file is JSON: `rate` (operations/s of a process), `latency`, `mode`
('' | 'hang' | 'fail' | 'flood'), `stderr`, `code`. Populations are files
beside it.
"""

import json
import os
import socket
import struct
import sys
import threading
import time


def main():
    args = sys.argv[1:]
    if args == ['--version']:
        print('ceph version 20.2.4 (fake) tentacle (stable)')
        return 0
    options, words = {}, []
    while args:
        word = args.pop(0)
        if word == '-' or not word.startswith('-'):
            words.append(word)
        elif '=' in word or word in ('--no-cleanup', '--no-verify'):
            options[word.split('=')[0]] = word.partition('=')[2]
        else:
            options[word] = args.pop(0)
    conf = json.load(open(options['-c']))
    store = os.path.join(os.path.dirname(options['-c']), 'store')
    os.makedirs(store, exist_ok=True)
    with open(os.path.join(store, 'pids'), 'a') as file:
        file.write(f'{os.getpid()}\n')
    if 'CEPH_ARGS' in os.environ:
        sys.exit('CEPH_ARGS is set')
    return {'get': get, 'stat': stat, 'bench': bench}[words[0]](
        conf, store, options, words
    )


def get(conf, store, options, words):
    try:
        meta = json.load(open(os.path.join(store, words[1])))
    except OSError:
        print(
            f'error getting p/{words[1]}: (2) No such file', file=sys.stderr
        )
        return 1
    data = struct.pack(
        '<QiiQ', meta['size'], meta['n'], meta['pid'], meta['size']
    )
    sys.stdout.buffer.write(data)
    return 0


def stat(conf, store, options, words):
    for name in os.listdir(store):
        if name == 'pids':
            continue
        meta = json.load(open(os.path.join(store, name)))
        prefix = (
            f'benchmark_data_{socket.gethostname()[:29]}_{meta["pid"]}_object'
        )
        if (
            words[1].startswith(prefix)
            and int(words[1][len(prefix) :]) < meta['n']
        ):
            print(
                f'p/{words[1]} mtime 2026-01-01T00:00:00.0+0000, size {meta["size"]}'
            )
            return 0
    print(f' error stat-ing p/{words[1]}: (2) No such file', file=sys.stderr)
    return 1


def put(store, name, data):
    """Have a file whole or not at all, whoever reads it meanwhile."""
    made = f'{store}.{os.getpid()}'
    with open(made, 'w') as file:
        json.dump(data, file)
    os.replace(made, os.path.join(store, name))


class Load:
    """Count operations as time passes, at a steady rate."""

    def __init__(self, conf, limit, concurrency):
        self.start = time.monotonic()
        self.rate = conf.get('rate', 1000.0)
        self.limit = limit
        self.concurrency = concurrency
        self.hang = conf.get('mode') == 'hang'

    def ops(self, at=None):
        seconds = (time.monotonic() if at is None else at) - self.start
        done = int(seconds * self.rate)
        if self.hang:
            done = min(done, 7)
        return min(done, self.limit) if self.limit else done

    def serve(self, path):
        server = socket.socket(socket.AF_UNIX)
        server.bind(path)
        server.listen(5)
        while True:
            peer, _ = server.accept()
            request = json.loads(peer.recv(4096).rstrip(b'\0'))
            n = self.ops()
            reply = {
                'objecter': {
                    'op_active': self.concurrency,
                    'op_reply': n,
                    'op_latency': {
                        'avgcount': n,
                        'sum': n * self.concurrency / self.rate,
                    },
                }
            }
            if request['prefix'] == 'objecter_requests':
                reply = {'ops': [{'osd': 3, 'paused': 0, 'age': 5.0}] * 2}
            body = json.dumps(reply).encode()
            peer.sendall(struct.pack('>I', len(body)) + body)
            peer.close()


def bench(conf, store, options, words):
    seconds, op = int(words[1]), words[2]
    if conf.get('mode') == 'fail':
        print(conf['stderr'], file=sys.stderr)
        return conf.get('code', 1)
    while conf.get('mode') == 'flood':
        sys.stderr.write('flood ' * 1000)
    run, threads = options['--run-name'], int(options['-t'])
    if op == 'write':
        size, limit = int(options['-b']), int(options.get('--max-objects', 0))
    else:
        meta = json.load(open(os.path.join(store, run)))
        size, limit = meta['size'], meta['n'] if op == 'seq' else 0
    load = Load(conf, limit, threads)
    threading.Thread(
        target=load.serve, args=(options['--admin-socket'],), daemon=True
    ).start()
    print('hints = 1', flush=True)
    latency = threads / load.rate
    datas, i = [], 0
    while True:
        now = time.monotonic()
        t, n = now - load.start, load.ops(now)
        if t >= seconds and not load.hang or limit and n >= limit:
            break
        datas.append(
            {
                'sec': str(i),
                'cur_ops': str(threads),
                'started': str(
                    min(n + threads, limit) if limit else n + threads
                ),
                'finished': str(n),
                'avg_bw': f'{n * size / max(t, 1e-9) / (1 << 20):f}',
                'cur_bw': '0',
                'last_lat': '0',
                'avg_lat': f'{latency if n else 0:f}',
            }
        )
        i += 1
        while time.monotonic() < min(
            load.start + i, load.start + max(seconds, 1)
        ):
            time.sleep(0.005)
            if limit and load.ops() >= limit:
                break
    n, t = load.ops(), time.monotonic() - load.start
    if op == 'write':
        put(store, run, {'size': size, 'n': n, 'pid': os.getpid()})
    made = 'total_writes_made' if op == 'write' else 'total_reads_made'
    print(
        json.dumps(
            {
                'datas': datas,
                'total_time_run': f'{t:f}',
                made: str(n),
                'write_size' if op == 'write' else 'read_size': str(size),
                'average_latency': f'{latency:f}',
                'max_latency': f'{3 * latency:f}',
                'stddev_iops': '-2003002832',
            }
        ),
        flush=True,
    )
    return 0


sys.stdout.flush()
code = main()
sys.stdout.flush()
os._exit(code)
