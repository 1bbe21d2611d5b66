"""Program that runs inside the cluster: the `ceph` tool, started once.

It reads {"words": ["osd", "dump", ...], "in": "..."}, one JSON object per
line, gives the words to the main program of the tool that is installed, and
answers with {"rc": ..., "out": "...", "err": "..."}. The connection and the
parsed descriptions of commands stay: a start of the tool takes a third of a
second of CPU, nearly all of it for these.
"""

from typing import Any, Dict, List

import contextlib
import functools
import io
import json
import shutil
import sys
import traceback
import types

import rados


class Kept:
    """Be a client that is connected already, made of a new one."""

    def __init__(self, client: Any, new: Any) -> None:
        self._client = client
        self._new = new

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def conf_parse_argv(self, words: List[str]) -> Any:
        """Take options of Ceph from a command line, return what is left."""
        return self._new.conf_parse_argv(words)

    def connect(self, timeout: int = 0) -> None:
        """Do nothing."""


def load(conf: str) -> Any:
    """Return the tool as a module, which is given one client each time."""
    path = shutil.which('ceph')
    assert path, 'there is no ceph'
    tool: Any = types.ModuleType('ceph_tool')
    tool.__file__ = path
    with open(path, encoding='utf-8') as file:
        exec(compile(file.read(), path, 'exec'), tool.__dict__)
    client = rados.Rados(conffile=conf, name='client.admin')
    client.connect()

    class Again(rados.Rados):  # type: ignore[misc]
        """Be what the tool makes of its options, and connects."""

        def __new__(cls, **named: Any) -> Any:
            return Kept(client, rados.Rados(**named))

    tool.rados = types.SimpleNamespace(**{**vars(rados), 'Rados': Again})
    tool.parse_json_funcsigs = functools.lru_cache(2)(
        tool.parse_json_funcsigs
    )
    return tool


def run(tool: Any, request: Dict[str, Any]) -> Dict[str, Any]:
    """Run one command; return its answer."""
    written = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(buffer, 'utf-8') for buffer in written)
    given = io.TextIOWrapper(io.BytesIO(request['in'].encode()), 'utf-8')
    sys.argv = ['ceph', *request['words']]
    before, sys.stdin = sys.stdin, given
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = tool.main() or 0
    except SystemExit as end:
        code = end.code or 0
    except Exception:  # as the interpreter does
        traceback.print_exc(file=err)
        code = 1
    finally:
        sys.stdin = before
    out.flush()
    err.flush()
    texts = [buffer.getvalue().decode() for buffer in written]
    return {'rc': code, 'out': texts[0], 'err': texts[1]}


def main() -> None:
    """Answer requests until the input ends."""
    tool = load(sys.argv[1])
    print(json.dumps({}), flush=True)
    for line in sys.stdin:
        print(json.dumps(run(tool, json.loads(line))), flush=True)


main()
