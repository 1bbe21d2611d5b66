"""Read a file as an import does."""

import io

from ...worker.interop import detect


def read(content, tool='auto'):
    if isinstance(content, str):
        content = content.encode()
    return detect.read(io.BufferedReader(io.BytesIO(content)), tool)


def only(content, tool='auto'):
    (found,) = read(content, tool).measured
    return found
