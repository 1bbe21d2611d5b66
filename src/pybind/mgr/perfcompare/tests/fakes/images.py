"""Stand-ins for `fio` and `rbd` that make no load, for tests of processes.

Called with a folder, the program's name and its arguments. In the folder:
`set.json` (`mode`, `rate` of a process, `stderr`, `code`, `engine`),
`pids`, and a file for each image.
"""

import json
import os
import signal
import socket
import struct
import sys
import threading
import time

STORE, NAME, ARGS = sys.argv[1], sys.argv[2], sys.argv[3:]
LATENCY = 2_000_000  # ns of every operation
COLUMNS = 464
BUCKET = 1027  # of LATENCY, as fio counts
MIDDLE = 2_007_040  # ns: what it calls that


def said(name):
    try:
        with open(os.path.join(STORE, name)) as file:
            return json.load(file)
    except OSError:
        return None


def put(name, data):
    """Have a file whole or not at all, whoever reads it meanwhile."""
    made = f'{STORE}.{os.getpid()}'
    with open(made, 'w') as file:
        json.dump(data, file)
    os.replace(made, os.path.join(STORE, name))


def note_pid():
    with open(os.path.join(STORE, 'pids'), 'a') as file:
        file.write(f'{os.getpid()}\n')


def together(count):
    """Begin when ``count`` processes are there, on a busy machine too."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with open(os.path.join(STORE, 'pids')) as file:
            if len(file.readlines()) >= count:
                return
        time.sleep(0.01)


class Load:
    """Count operations as time passes."""

    def __init__(self, rate):
        self.start, self.rate = time.monotonic(), rate

    def ops(self):
        return int((time.monotonic() - self.start) * self.rate)

    def serve(self, path):
        server = socket.socket(socket.AF_UNIX)
        server.bind(path)
        server.listen(5)
        while True:
            peer, _ = server.accept()
            asked = json.loads(peer.recv(4096).rstrip(b'\0'))['prefix']
            n = self.ops()
            reply = {
                'version': {'version': '20.2.4', 'release': 'fake'},
                'objecter_requests': {'ops': [{'osd': 3}]},
                'perf dump': {
                    'librbd-1-p-i': {
                        'rd': n,
                        'rd_bytes': 4096 * n,
                        'rd_latency': {'sum': n * LATENCY / 1e9},
                        'wr': 0,
                        'wr_bytes': 0,
                        'wr_latency': {'sum': 0.0},
                    },
                    'objecter': {'op_active': 4},
                },
            }[asked]
            body = json.dumps(reply).encode()
            peer.sendall(struct.pack('>I', len(body)) + body)
            peer.close()

    def listen(self, path):
        threading.Thread(target=self.serve, args=(path,), daemon=True).start()


def direction(ops, seconds, size):
    counts = {'N': ops, 'mean': float(LATENCY), 'max': LATENCY}
    return {
        'io_bytes': ops * size,
        'bw_bytes': ops * size / seconds if seconds else 0,
        'iops': ops / seconds if seconds else 0.0,
        'runtime': round(seconds * 1000),
        'total_ios': ops,
        'clat_ns': dict(counts),
        'lat_ns': {**counts, 'bins': {str(MIDDLE): ops} if ops else {}},
    }


def fio(conf):
    if ARGS == ['--version']:
        print('fio-3.41')
        return 0
    if ARGS == ['--enghelp=rbd']:
        print(conf.get('engine', 'rbdname : RBD name'))
        return conf.get('engine_code', 0)
    note_pid()
    if 'CEPH_ARGS' in os.environ:
        sys.exit('CEPH_ARGS is set')
    with open(ARGS[-1]) as file:
        job = dict(line.strip().split('=', 1) for line in file if '=' in line)
    with open(os.environ['CEPH_CONF']) as file:
        given = dict(
            line.strip().split(' = ', 1) for line in file if ' = ' in line
        )
    mode = conf.get('mode', '')
    if mode == 'fail':
        print(conf['stderr'], file=sys.stderr)
        return conf.get('code', 1)
    image = said(job['rbdname'])
    load = Load(conf.get('rate', 500))
    load.listen(given['admin socket'])
    if job.get('size') == '100%':
        size = image['size'] // (2 if mode == 'half' else 1)
        sides = {'write': direction(0, 0, 1), 'read': direction(0, 0, 1)}
        sides[job['rw']] = direction(
            size // int(job['bs']), 0.5, int(job['bs'])
        )
        image['used'] = max(image.get('used', 0), size)
        put(job['rbdname'], image)
        return report(conf, sides, time.time())
    together(conf.get('together', 1))
    ramp = int(job.get('ramp_time', '0ms')[:-2]) / 1e3
    seconds = int(job['runtime'][:-2]) / 1e3
    time.sleep(ramp)
    if mode == 'hang':
        time.sleep(600)
    if mode == 'early':
        seconds /= 4
    began = time.time()
    names = ['read', 'write'] if 'rwmixread' in job else []
    names = names or [job['rw'].replace('rand', '')]
    done = dict.fromkeys(names, 0)
    lines = []
    while time.time() < began + seconds:
        time.sleep(0.1)
        for name in names:
            total = int((time.time() - began) * load.rate / len(names))
            counts = ['0'] * COLUMNS
            counts[BUCKET >> 2] = str(total - done[name])
            done[name] = total
            cells = [str(int(time.time() * 1e3)), str(int(name == 'write'))]
            lines.append(', '.join(cells + ['4096'] + counts) + '\n')
    with open(job['write_hist_log'] + '_clat_hist.1.log', 'w') as file:
        file.writelines(lines)
    spent = time.time() - began
    sides = {
        name: direction(done.get(name, 0), spent, 4096)
        for name in ('read', 'write')
    }
    if mode == 'none':
        sides = dict.fromkeys(sides, direction(0, 0, 4096))
    return report(conf, sides, began)


def report(conf, sides, began):
    job = {'jobname': 'load', 'job_start': int(began * 1e3), 'error': 0}
    job.update(sides, total_err=conf.get('errors', 0), first_error=5)
    text = json.dumps({'fio version': 'fio-3.41', 'jobs': [job]})
    mode = conf.get('mode', '')
    if mode == 'garbage':
        text = '\x1b[2J{"jobs": [{"read": 7}]}'
    if mode == 'cut':
        text = text[: len(text) // 2]
    print('fio: a note\n' + text)
    return conf.get('code', 0)


def options():
    found, words, args = {}, [], list(ARGS)
    while args:
        word = args.pop(0)
        if not word.startswith('-'):
            words.append(word)
        elif '=' in word:
            found[word.split('=')[0]] = word.partition('=')[2]
        else:
            found[word] = args.pop(0)
    return found, words


def rbd(conf):
    if ARGS == ['--version']:
        print('ceph version 20.2.4 (fake) tentacle (stable)')
        return 0
    found, words = options()
    with open(os.path.join(STORE, 'asked'), 'a') as file:
        file.write(' '.join(words) + '\n')
    if words[0] == 'encryption':
        return 0
    name = words[2 if words[0] == 'image-meta' else 1].partition('/')[2]
    image = said(name)
    if words[0] == 'create':
        size = int(found['--size'][:-1])
        order = int(found['--object-size'])
        pool = found.get('--data-pool', '')
        put(name, {'size': size, 'object_size': order, 'data_pool': pool})
        return 0
    if image is None:
        print(
            f'rbd: error opening image {name}: (2) No such file or directory',
            file=sys.stderr,
        )
        return 2
    if words[:2] == ['image-meta', 'set']:
        put(name, {**image, 'mark': words[4]})
    elif words[0] == 'image-meta':
        if 'mark' not in image:
            print(
                'failed to get metadata: (2) No such file or directory',
                file=sys.stderr,
            )
            return 2
        print(image['mark'])
    elif words[0] == 'info':
        print(json.dumps(image))
    elif words[0] == 'du':
        print(json.dumps({'images': [{'used_size': image.get('used', 0)}]}))
    elif words[0] == 'bench':
        return bench(conf, found, name, image)
    return 0


def bench(conf, found, name, image):
    note_pid()
    load = Load(conf.get('rate', 500))
    load.listen(found['--admin-socket'])
    size, total = int(found['--io-size'][:-1]), int(found['--io-total'][:-1])
    if total > 1 << 50:
        # an Event that is waited for here could not be set by the handler:
        # both take its lock in this one thread
        ended = []
        signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
        while not ended:
            time.sleep(0.05)
        ops = load.ops()
    else:
        ops = total // size
        put(name, {**image, 'used': total})
    if conf.get('mode') != 'garbage':
        print(f'elapsed: 5   ops: {ops}   ops/sec: 1.0   bytes/sec: 1 B/s')
    return 0


sys.stdout.flush()
code = {'fio': fio, 'rbd': rbd}[NAME](said('set.json') or {})
sys.stdout.flush()
os._exit(code)
