"""The folder of one cluster, and what each of its hosts is called."""

import dataclasses
import errno
import json
import pathlib

from cluster.messages import ClusterError
from cluster.state import Cluster, Process


@dataclasses.dataclass(frozen=True)
class Host:
    """One host: a systemd in namespaces of its own."""

    name: str
    address: str


# In namespaces of their own: other clusters may have the same.
HOSTS = (Host('host1', '10.77.0.11'), Host('host2', '10.77.0.12'))
SWITCH = 'switch'
SWITCH_ADDRESS = '10.77.0.1'


class Managed(Cluster):
    """The folder of a cluster that cephadm manages."""

    program = 'qa/cephadm'
    entering = 'managed.enter'

    @property
    def conf(self) -> pathlib.Path:
        """Return the path of ceph.conf, on the first host."""
        return pathlib.Path('/etc/ceph/ceph.conf')

    def keep(self, roots: pathlib.Path) -> None:
        """Write down the folder of the cache that hosts run from."""
        text = json.dumps({'roots': str(roots)})
        (self.dir / 'cluster.json').write_text(text, encoding='utf-8')

    def folder(self, host: Host) -> pathlib.Path:
        """Return the folder of what a host writes."""
        return self.dir / 'hosts' / host.name

    def first_process(self, name: str) -> Process:
        """Return the systemd of a host; raise one line if it is not up."""
        if name not in [host.name for host in HOSTS]:
            raise ClusterError(
                "no host '%s'; this cluster has: %s"
                % (name, ', '.join(host.name for host in HOSTS)),
                errno.ENOENT,
            )
        found = self.process(name)
        if found is None:
            if not self.token():
                self._refuse_missing()
            raise ClusterError('%s is not running' % name, errno.ESRCH)
        return found
