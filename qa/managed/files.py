"""What makes a host of the root file system: its settings, as files."""

from typing import Dict, Tuple

import pathlib
import resource

from cluster.settings import TOKEN_FILE

from .image import STORE
from .state import HOSTS, Host

UNITS = 'etc/systemd/system/'
# They would touch the machine, or wait for what a namespace has not.
MASKED = (
    'systemd-udevd.service systemd-udevd-control.socket '
    'systemd-udevd-kernel.socket systemd-udev-trigger.service '
    'systemd-networkd.service systemd-resolved.service '
    'systemd-timesyncd.service systemd-logind.service '
    'systemd-sysctl.service systemd-modules-load.service '
    'systemd-remount-fs.service systemd-homed.service '
    'systemd-firstboot.service '
    'getty@tty1.service console-getty.service '
    'sys-kernel-debug.mount sys-kernel-tracing.mount '
    'sys-kernel-config.mount sys-fs-fuse-connections.mount '
    'dev-hugepages.mount dev-mqueue.mount '
    'proc-sys-fs-binfmt_misc.automount '
    'lvm2-monitor.service lvm2-lvmpolld.socket dm-event.socket '
    'blk-availability.service nvmf-autoconnect.service '
    'ceph.target ceph-crash.service'
).split()
# cephadm wants a time service; the clock is the machine's.
CLOCK = '''[Unit]
Description=A stand-in: the clock is that of the machine

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/true

[Install]
WantedBy=multi-user.target
'''
SSHD = '''PermitRootLogin prohibit-password
PasswordAuthentication no
UseDNS no
Subsystem sftp /usr/lib/openssh/sftp-server
'''
SSH_KEYS = '''[Service]
ExecStartPre=
ExecStartPre=/usr/bin/ssh-keygen -A
'''
# Tests restart a Manager more often than cephadm's units may start.
STARTS = '[Unit]\nStartLimitIntervalSec=0\n'
# No limit that the machine does not let anybody raise, and no network that
# would change settings of the kernel.
CONTAINERS = '''[containers]
pids_limit = 0
default_ulimits = ["nofile=%d:%d", "nproc=%d:%d"]
netns = "host"

[engine]
cgroup_manager = "systemd"
events_logger = "file"
runtime = "/usr/local/bin/crun-unlimited"
'''
STORAGE = '''[storage]
driver = "overlay"
runroot = "/run/containers/storage"
graphroot = "/var/lib/containers/storage"

[storage.options]
additionalimagestores = ["%s"]
'''
# cephadm asks for "no limit of processes", which needs a controller that the
# hosts' part of the hierarchy may not have.
CRUN = r'''#!/bin/sh
before=
for word; do
    case $before in
    --bundle | -b)
        sed -i -E 's/,"pids":\{"limit":-?[0-9]+\}//
            s/"pids":\{"limit":-?[0-9]+\},?//' "$word/config.json"
        ;;
    esac
    before=$word
done
exec /usr/bin/crun "$@"
'''
# Settings of the kernel are the machine's: cephadm's are not taken over.
SYSCTL = '''#!/bin/sh
case " $* " in
*' --system '*) exit 0 ;;
*' -a '*)
    /usr/sbin/sysctl "$@" 2>/dev/null
    exit 0 # some cannot be read
    ;;
esac
exec /usr/sbin/sysctl "$@"
'''


def write(layer: pathlib.Path, host: Host, token: str) -> None:
    """Write a host's own files into the layer over its root."""
    names = '127.0.0.1 localhost\n' + ''.join(
        '%s %s\n' % (one.address, one.name) for one in HOSTS
    )
    texts: Dict[str, str] = {
        TOKEN_FILE: token,
        'etc/hostname': host.name + '\n',
        'etc/hosts': names,
        'etc/resolv.conf': '',
        'etc/fstab': '',
        'etc/machine-id': '',
        'etc/locale.conf': 'LANG=C.UTF-8\n',
        'etc/ssh/sshd_config': SSHD,
        'etc/systemd/journald.conf': '[Journal]\nStorage=persistent\n',
        'etc/containers/containers.conf': CONTAINERS % _limits(),
        'etc/containers/storage.conf': STORAGE % STORE,
        UNITS + 'chrony.service': CLOCK,
        UNITS + 'ssh.service.d/keys.conf': SSH_KEYS,
        UNITS + 'ceph-.service.d/starts.conf': STARTS,
    }
    for name, text in texts.items():
        _put(layer / name, text, 0o644)
    _put(layer / 'usr/local/bin/crun-unlimited', CRUN, 0o755)
    _put(layer / 'usr/local/sbin/sysctl', SYSCTL, 0o755)
    for name in MASKED:
        _link(layer / UNITS / name, '/dev/null')
    for unit in ('/etc/systemd/system/chrony.service', _unit('ssh.service')):
        wants = layer / UNITS / 'multi-user.target.wants'
        _link(wants / pathlib.Path(unit).name, unit)
    _link(layer / UNITS / 'default.target', _unit('multi-user.target'))
    (layer / 'var/log/journal').mkdir(parents=True)
    (layer / STORE.lstrip('/')).mkdir()


def _limits() -> Tuple[int, ...]:
    """Return soft and hard limits of open files and of processes."""
    found = []
    for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC):
        hard = resource.getrlimit(kind)[1]
        found += [hard, hard]
    return tuple(found)


def _unit(name: str) -> str:
    return '/usr/lib/systemd/system/' + name


def _put(path: pathlib.Path, text: str, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding='utf-8')
    path.chmod(mode)


def _link(path: pathlib.Path, target: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
