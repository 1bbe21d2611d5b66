"""Pass orders of `ceph orch` on to whoever runs the cluster.

These are: start and stop daemons, place and remove gateways.

In a mini cluster it is mounted as `test_orchestrator`.

A manager runs no programs. Each order becomes a file in the folder that the
option ``spool`` names; a test outside carries it out (orders.py). Without
the option there is no orchestrator.
"""

from typing import Any, Dict, List, Optional, Set, Tuple

import glob
import json
import os
import threading
import time

import mgr_module
import orchestrator
from ceph.deployment.service_spec import RGWSpec
from mgr_module import MgrModule, Option
from orchestrator import handle_orch_error

ACTIONS = ('start', 'stop')
# what becomes of orders: cephadm says the same in each case
OBEY = 'obey'
IGNORE = 'ignore'
# as cephadm while it is paused: orders are carried out when it obeys again
HOLD = 'hold'
LOSE = 'lose'  # the first of its kind, as cephadm while it is at another


class Module(orchestrator.Orchestrator, MgrModule):
    """Be an orchestrator of OSDs and gateways, and no more.

    Gateways are in the file `gateways` of the spool, which is written by
    whoever carries orders out: as with cephadm, it takes a while until an
    order shows.
    """

    MODULE_OPTIONS: List[Option] = [
        Option('spool', type='str', default='', runtime=True),
        # of hosts, as 'load-1=loadgen load-2=loadgen'; these need no OSDs
        Option('labels', type='str', default='', runtime=True),
        Option(
            'orders',
            type='str',
            default=OBEY,
            enum_allowed=[OBEY, HOLD, IGNORE, LOSE],
            runtime=True,
        ),
    ]
    if hasattr(mgr_module, 'CLICommandBase'):  # 20.2.4
        CLICommand: Any = mgr_module.CLICommandBase.make_registry_subtype(
            'MiniOrchestratorCLICommand'
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stopping = threading.Event()
        self._count = 0
        self._lost: Set[Tuple[str, str]] = set()

    def _spool(self) -> str:
        return str(self.get_module_option('spool') or '')

    def available(self) -> Tuple[bool, str, Dict[str, Any]]:
        """Say whether orders have somewhere to go."""
        if not os.path.isdir(self._spool()):
            return False, 'the option spool names no folder', {}
        return True, '', {'paused': self._mode() == HOLD}

    def _mode(self) -> str:
        return str(self.get_module_option('orders'))

    @handle_orch_error
    def daemon_action(
        self,
        action: str,
        daemon_name: str,
        image: Optional[str] = None,
        force: bool = False,
    ) -> str:
        """Leave an order, complete or not at all."""
        if action not in ACTIONS:
            raise orchestrator.OrchestratorError(
                '%s is not one of %s' % (action, ', '.join(ACTIONS))
            )
        if self._mode() == HOLD:
            self._keep(action, daemon_name)
        elif self._obeys(action, daemon_name):
            self._leave({'action': action, 'daemon': daemon_name})
        return 'Scheduled to %s %s' % (action, daemon_name)

    def _obeys(self, action: str, target: str) -> bool:
        mode = self._mode()
        if mode == LOSE and (action, target) not in self._lost:
            self._lost.add((action, target))
            return False
        self._lost.discard((action, target))
        return mode not in (IGNORE, HOLD)

    def _keep(self, action: str, daemon_name: str) -> None:
        """Keep an order where cephadm does; a stop stands before a start."""
        kept = self._kept()
        if kept.get(daemon_name) != 'stop':
            kept[daemon_name] = action
        self._note(kept)

    def _kept(self) -> Dict[str, str]:
        found: Dict[str, str] = {}
        for text in self.get_store_prefix('host.').values():
            found.update(json.loads(text)['scheduled_daemon_actions'])
        return found

    def _note(self, kept: Dict[str, str]) -> None:
        """Store the orders that are kept, by host."""
        hosts = self._hosts_of_osds()
        for host in sorted(set(hosts.values())):
            own = {d: a for d, a in kept.items() if hosts.get(d) == host}
            record = json.dumps({'scheduled_daemon_actions': own})
            self.set_store('host.' + host, record if own else None)

    def _hosts_of_osds(self) -> Dict[str, str]:
        return {
            'osd.%s' % osd: str(facts.get('hostname'))
            for osd, facts in self.get('osd_metadata').items()
        }

    def _leave(self, order: Dict[str, Any]) -> None:
        self._count += 1
        name = '%.6f-%d' % (time.time(), self._count)
        path = os.path.join(self._spool(), name)
        with open(path + '.new', 'w', encoding='utf-8') as file:
            json.dump(order, file)
        os.rename(path + '.new', path + '.json')

    @handle_orch_error
    def get_hosts(self) -> List[orchestrator.HostSpec]:
        """Return the CRUSH hosts, with the address of an OSD on each."""
        tree = self.get('osd_map_tree')['nodes']
        addresses = {
            o['osd']: o['public_addr'].rpartition(':')[0]
            for o in self.get('osd_map')['osds']
        }
        # a host is there once for each root that it is linked to
        found = {
            n['name']: addresses[n['children'][0]]
            for n in tree
            if n['type'] == 'host' and n['children']
        }
        labels: Dict[str, List[str]] = {}
        for pair in str(self.get_module_option('labels') or '').split():
            name, _, label = pair.partition('=')
            labels.setdefault(name, []).append(label)
            found.setdefault(name, name)
        return [
            orchestrator.HostSpec(name, address, labels=labels.get(name))
            for name, address in found.items()
        ]

    @handle_orch_error
    def apply_rgw(self, spec: RGWSpec) -> str:
        """Order gateways, and set the options that cephadm sets."""
        hosts = {h.hostname: h.addr for h in self.get_hosts().result}
        wanted = [p.hostname for p in spec.placement.hosts]
        for host in wanted:
            if host not in hosts:
                raise orchestrator.OrchestratorError('no host %s' % host)
        if not self._obeys('apply', spec.service_id):
            return 'Scheduled %s update...' % spec.service_name()
        for option, value in (
            ('rgw_realm', spec.rgw_realm),
            ('rgw_zonegroup', spec.rgw_zonegroup),
            ('rgw_zone', spec.rgw_zone),
        ):
            self._config('set', spec.service_id, option, value=value)
        self._want(spec.service_id, True)
        self._leave(
            {
                'action': 'apply',
                'service': spec.service_id,
                'hosts': {host: hosts[host] for host in wanted},
                'per_host': spec.placement.count_per_host or 1,
                'port': spec.get_port_start()[0],
                'options': spec.rgw_frontend_extra_args or [],
            }
        )
        return 'Scheduled %s update...' % spec.service_name()

    def _config(self, verb: str, service: str, name: str, **f: Any) -> None:
        who = 'client.rgw.%s' % service
        command = dict(f, prefix='config ' + verb, who=who, name=name)
        self.check_mon_command(command)

    @handle_orch_error
    def remove_service(self, service_name: str, force: bool = False) -> str:
        """Order that gateways go."""
        kind, _, service = service_name.partition('.')
        if kind != 'rgw' or service not in self._known():
            raise orchestrator.OrchestratorError(
                'Invalid service %r' % service_name
            )
        if not self._obeys('remove', service):
            return 'Removed service %s' % service_name
        for option in ('rgw_realm', 'rgw_zonegroup', 'rgw_zone'):
            self._config('rm', service, option)
        self._want(service, False)
        self._leave({'action': 'remove', 'service': service})
        return 'Removed service %s' % service_name

    def _want(self, service: str, wanted: bool) -> None:
        names = set(json.loads(self.get_store('services') or '[]'))
        names = names | {service} if wanted else names - {service}
        self.set_store('services', json.dumps(sorted(names)))

    def _known(self) -> List[str]:
        """Return services that are wanted, there, or on order."""
        names = set(json.loads(self.get_store('services') or '[]'))
        for path in glob.glob(os.path.join(self._spool(), '*.json')):
            try:
                with open(path, encoding='utf-8') as file:
                    names.add(json.load(file).get('service'))
            except FileNotFoundError:
                pass  # carried out just now
        return sorted((names | set(self._gateways())) - {None})

    def _gateways(self) -> Dict[str, Any]:
        """Return the gateways by service, as they are by now."""
        path = os.path.join(self._spool(), 'gateways')
        try:
            with open(path, encoding='utf-8') as file:
                found: Dict[str, Any] = json.load(file)
        except FileNotFoundError:
            return {}
        return found

    @handle_orch_error
    def describe_service(
        self,
        service_type: Optional[str] = None,
        service_name: Optional[str] = None,
        refresh: bool = False,
    ) -> List[orchestrator.ServiceDescription]:
        """Return the services of gateways."""
        specs = [RGWSpec(service_id=service) for service in self._known()]
        return [
            orchestrator.ServiceDescription(spec=spec)
            for spec in specs
            if service_name in (None, spec.service_name())
        ]

    @handle_orch_error
    def list_daemons(
        self,
        service_name: Optional[str] = None,
        daemon_type: Optional[str] = None,
        daemon_id: Optional[str] = None,
        host: Optional[str] = None,
        refresh: bool = False,
    ) -> List[orchestrator.DaemonDescription]:
        """Return the gateways."""
        states = orchestrator.DaemonDescriptionStatus
        return [
            orchestrator.DaemonDescription(
                daemon_type='rgw',
                daemon_id=one['id'],
                hostname=one['host'],
                ip=one['address'],
                ports=[one['port']],
                service_name='rgw.' + service,
                status=states[one['status']],
                status_desc=one['status'],
            )
            for service, daemons in self._gateways().items()
            for one in daemons
            if service_name in (None, 'rgw.' + service)
            if daemon_type in (None, 'rgw')
            if host in (None, one['host'])
        ]

    def serve(self) -> None:
        """Carry out what was kept, once nothing is held any more."""
        while not self._stopping.wait(0.5):
            if self._mode() == HOLD or not self._spool():
                continue
            kept = self._kept()
            for daemon_name, action in sorted(kept.items()):
                self._leave({'action': action, 'daemon': daemon_name})
            if kept:
                self._note({})

    def shutdown(self) -> None:
        """End serve()."""
        self._stopping.set()
