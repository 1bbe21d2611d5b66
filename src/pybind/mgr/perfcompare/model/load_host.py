"""What is known of a load host: kept with the mons, and told by its agent."""

from typing import Dict, Optional, Tuple

import dataclasses
import enum


class HostState(str, enum.Enum):
    """Say how a load host is to be thought of."""

    NEVER = 'never seen'
    READY = 'ready'
    LOADING = 'loading'
    SILENT = 'silent'
    DISABLED = 'disabled'
    VERSION = 'other version'


@dataclasses.dataclass(frozen=True)
class LoadHost:
    """Describe one load host; None and '' are not known."""

    host: str
    state: HostState
    added: float  # Unix time
    seen: Optional[float] = None  # seconds since its agent was heard
    hostname: str = ''  # as it calls itself
    arch: str = ''
    cores: Optional[float] = None
    memory_bytes: Optional[int] = None
    memory_free: Optional[int] = None
    kernel: str = ''
    rados: str = ''  # version of its program
    programs: Optional[Dict[str, str]] = None  # versions of others it has
    numpy: Optional[bool] = None
    addresses: Tuple[str, ...] = ()
    osds: Tuple[int, ...] = ()  # that run on it
    clock_offset: Optional[float] = None  # seconds that it is behind us
    clock_bound: Optional[float] = None  # seconds, of the offset
    clock_steps: Optional[int] = None
    refused: int = 0  # messages of it that were not taken
    last_refusal: str = ''
