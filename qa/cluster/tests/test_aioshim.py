"""The aio shim, compiled for this machine and called as BlueStore does."""

from typing import Any

import ctypes
import os
import pathlib
import shutil
import subprocess

import pytest

SOURCE = pathlib.Path(__file__).parents[1] / 'aioshim.c'
PREAD, PWRITE, POLL = 0, 1, 5


class Iocb(ctypes.Structure):
    _fields_ = [
        ('data', ctypes.c_uint64),
        ('key', ctypes.c_uint32),
        ('rw_flags', ctypes.c_uint32),
        ('opcode', ctypes.c_uint16),
        ('priority', ctypes.c_int16),
        ('fd', ctypes.c_uint32),
        ('buf', ctypes.c_uint64),
        ('nbytes', ctypes.c_uint64),
        ('offset', ctypes.c_int64),
        ('reserved', ctypes.c_uint64),
        ('flags', ctypes.c_uint32),
        ('resfd', ctypes.c_uint32),
    ]


class Event(ctypes.Structure):
    _fields_ = [
        ('data', ctypes.c_uint64),
        ('obj', ctypes.c_uint64),
        ('res', ctypes.c_long),
        ('res2', ctypes.c_long),
    ]


class Timespec(ctypes.Structure):
    _fields_ = [('sec', ctypes.c_long), ('nsec', ctypes.c_long)]


@pytest.fixture(name='shim', scope='module')
def _shim(tmp_path_factory: pytest.TempPathFactory) -> Any:
    compiler = shutil.which('gcc') or shutil.which('cc')
    if not compiler:
        pytest.skip('no C compiler on this machine')
    target = tmp_path_factory.mktemp('shim') / 'shim.so'
    subprocess.run(
        [compiler, '-O2', '-Wall', '-Wextra', '-Werror', '-fPIC', '-shared']
        + ['-o', str(target), str(SOURCE), '-lpthread'],
        check=True,
    )
    library = ctypes.CDLL(str(target))
    library.io_submit.argtypes = [
        ctypes.c_void_p,
        ctypes.c_long,
        ctypes.c_void_p,
    ]
    library.io_getevents.argtypes = [
        ctypes.c_void_p,
        ctypes.c_long,
        ctypes.c_long,
        ctypes.c_void_p,
        ctypes.c_void_p,
    ]
    library.io_destroy.argtypes = [ctypes.c_void_p]
    return library


def _setup(shim: Any, capacity: int) -> ctypes.c_void_p:
    context = ctypes.c_void_p()
    assert shim.io_setup(capacity, ctypes.byref(context)) == 0
    return context


def _requests(*items: Iocb) -> Any:
    return (ctypes.c_void_p * len(items))(*map(ctypes.addressof, items))


@pytest.mark.process
def test_data_written_is_read_back(shim: Any, tmp_path: pathlib.Path) -> None:
    blocks, size = 32, 4096
    context = _setup(shim, blocks)
    handle = os.open(str(tmp_path / 'f'), os.O_RDWR | os.O_CREAT)
    buffers = [
        ctypes.create_string_buffer(bytes([n]) * size) for n in range(blocks)
    ]
    for opcode in (PWRITE, PREAD):
        items = [
            Iocb(
                data=n,
                opcode=opcode,
                fd=handle,
                buf=ctypes.addressof(buffers[n]),
                nbytes=size,
                offset=n * size,
            )
            for n in range(blocks)
        ]
        assert shim.io_submit(context, blocks, _requests(*items)) == blocks
        events = (Event * blocks)()
        got = shim.io_getevents(context, blocks, blocks, events, None)
        assert got == blocks
        assert sorted(event.data for event in events) == list(range(blocks))
        assert {event.res for event in events} == {size}
        if opcode == PWRITE:
            for buffer in buffers:
                ctypes.memset(buffer, 255, size)
    assert all(buffers[n].raw[:size] == bytes([n]) * size for n in range(32))
    os.close(handle)
    assert shim.io_destroy(context) == 0


def test_errors_come_back_as_events(shim: Any) -> None:
    context = _setup(shim, 4)
    bad_file = Iocb(opcode=PREAD, fd=10**6, nbytes=1)
    bad_code = Iocb(opcode=POLL, fd=0)
    submitted = shim.io_submit(context, 2, _requests(bad_file, bad_code))
    assert submitted == 2
    events = (Event * 2)()
    assert shim.io_getevents(context, 2, 2, events, None) == 2
    assert sorted(event.res for event in events) == [-22, -9]
    shim.io_destroy(context)


def test_full_queue_says_try_again_and_recovers(shim: Any) -> None:
    context = _setup(shim, 2)
    items = [Iocb(opcode=POLL) for _ in range(3)]
    assert shim.io_submit(context, 3, _requests(*items)) == 2
    assert shim.io_submit(context, 1, _requests(items[2])) == -11
    events = (Event * 2)()
    assert shim.io_getevents(context, 2, 2, events, None) == 2
    assert shim.io_submit(context, 1, _requests(items[2])) == 1
    assert shim.io_getevents(context, 1, 1, events, None) == 1
    shim.io_destroy(context)


def test_waiting_ends_in_time(shim: Any) -> None:
    context = _setup(shim, 2)
    events = (Event * 2)()
    wait = Timespec(0, 20_000_000)
    got = shim.io_getevents(context, 1, 2, events, ctypes.byref(wait))
    assert got == 0
    shim.io_destroy(context)
