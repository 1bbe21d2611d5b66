"""Find what kept all Python of a process waiting, and for how long.

Run within the mgr, before probe.py. A thread naps, and sees when it is woken
late: others had the interpreter meanwhile, and where they are now is what
they did. With each wait stand the CPU seconds that the process used in it:
where they are few, the machine gave its processors to other processes.
"""

import gc
import sys
import threading
import time

NAP = 0.005
LATE = 0.05  # seconds from which a wait is noted
DEPTH = 4  # frames that are noted of a thread
COLLECTION = 'garbage collection'
# in these a thread waits, and holds nothing
IDLE = ('threading.py', 'selectors.py', 'socket.py', 'queue.py')


class Holds:
    """Note the waits in ``found``, until it is told to end."""

    def __init__(self):
        self.found = []
        self._collecting = 0.0  # seconds
        self._began = 0.0
        self._ending = threading.Event()

    def start(self):
        """Begin to watch."""
        gc.callbacks.append(self._collected)
        threading.Thread(target=self._main, name='holds', daemon=True).start()

    def end(self):
        """Watch no more."""
        gc.callbacks.remove(self._collected)
        self._ending.set()

    def _collected(self, phase, _):
        now = time.monotonic()
        if phase == 'start':
            self._began = now
        elif self._began:
            self._collecting += now - self._began
            self._began = 0.0

    def _main(self):
        own = threading.get_ident()
        while not self._ending.is_set():
            cpu, self._collecting = time.process_time(), 0.0
            began = time.monotonic()
            time.sleep(NAP)
            now = time.monotonic()
            late = now - began - NAP
            if late < LATE:
                continue
            # one that is over may not have said so yet
            under_way = now - self._began if self._began else 0.0
            collecting = self._collecting + under_way
            self.found.append(
                {
                    'late': round(1e3 * late),
                    'cpu': round(1e3 * (time.process_time() - cpu)),
                    'collecting': round(1e3 * collecting),
                    'at': [
                        where
                        for ident, frame in sys._current_frames().items()
                        for where in [_where(frame)]
                        if ident != own and where
                    ],
                }
            )


def _where(frame):
    """Return what a thread does, innermost first; empty when it waits."""
    found = []
    while frame is not None and len(found) < DEPTH:
        code = frame.f_code
        file = '/'.join(code.co_filename.split('/')[-2:])
        if not found and file.endswith(IDLE):
            return ''
        name = f'{file}:{frame.f_lineno} {code.co_name}'
        found.append(COLLECTION if code.co_name == '_collected' else name)
        frame = frame.f_back
    return ' < '.join(found)
