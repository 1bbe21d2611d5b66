"""Make certificates for servers of tests."""

from typing import Tuple

import pathlib
import subprocess


def make(folder: pathlib.Path, name: str) -> Tuple[str, str]:
    """Write one for a subjectAltName; return its path and its key's."""
    cert, key = str(folder / 'cert.pem'), str(folder / 'key.pem')
    subprocess.run(
        ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes']
        + ['-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=x']
        + ['-addext', f'subjectAltName={name}'],
        check=True,
        capture_output=True,
    )
    return cert, key
