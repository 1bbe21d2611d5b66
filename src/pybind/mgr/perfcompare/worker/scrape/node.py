"""What node_exporter says of a host at one moment, as our own figures.

Names are those of node_exporter 0.16 and later; power also comes from
ipmi_exporter. What an exporter does not show stays absent.
"""

from typing import Dict, Iterable, List, Mapping, Optional, Set, Tuple

import dataclasses
import math
import re

from ..runtime.links import is_link
from .board_power import LABEL, METERS, Meter, board_watts
from .exposition import Sample

CPU = 'node_cpu_seconds_total'
IPMI = 'ipmi_dcmi_power_consumption_watts'
# metric -> our name; summed over their labels
COUNTERS: Mapping[str, str] = {
    'node_vmstat_pswpin': 'swap_in',
    'node_pressure_cpu_waiting_seconds_total': 'psi_cpu',
    'node_pressure_io_waiting_seconds_total': 'psi_io',
    'node_pressure_memory_waiting_seconds_total': 'psi_memory',
    'node_cpu_core_throttles_total': 'core_throttles',
    'node_cpu_package_throttles_total': 'package_throttles',
    'node_rapl_package_joules_total': 'package_joules',
    'node_rapl_dram_joules_total': 'dram_joules',
}
GAUGES: Mapping[str, str] = {
    'node_load1': 'load1',
    'node_memory_MemTotal_bytes': 'mem_total',
    'node_memory_MemAvailable_bytes': 'mem_available',
    'node_boot_time_seconds': 'boot_time',
    IPMI: 'ipmi_watts',
}
# memory that kernels count in pages: together they tell how large one is
PAGED = (
    'node_memory_MemTotal_bytes',
    'node_memory_MemAvailable_bytes',
    'node_memory_MemFree_bytes',
    'node_memory_Cached_bytes',
    'node_memory_AnonPages_bytes',
    'node_memory_Mapped_bytes',
    'node_memory_Active_bytes',
    'node_memory_Inactive_bytes',
)
# greatest over their labels
PEAKS: Mapping[str, str] = {
    'node_cpu_frequency_max_hertz': 'hertz',
    'node_cpu_scaling_frequency_max_hertz': 'scaling_hertz',
    'node_thermal_zone_temp': 'zone_temperature',
}
NICS: Mapping[str, str] = {
    'node_network_receive_bytes_total': 'rx',
    'node_network_transmit_bytes_total': 'tx',
    'node_network_receive_drop_total': 'rx_drop',
    'node_network_transmit_drop_total': 'tx_drop',
    'node_network_speed_bytes': 'speed',
}
DISKS: Mapping[str, str] = {
    'node_disk_io_time_seconds_total': 'busy',
    'node_disk_io_time_weighted_seconds_total': 'weighted',
    'node_disk_read_bytes_total': 'read_bytes',
    'node_disk_written_bytes_total': 'write_bytes',
    'node_disk_reads_completed_total': 'reads',
    'node_disk_writes_completed_total': 'writes',
    'node_disk_read_time_seconds_total': 'read_time',
    'node_disk_write_time_seconds_total': 'write_time',
}
TEMPERATURE = 'node_hwmon_temp_celsius'
CHIPS = 'node_hwmon_chip_names'
UNAME = 'node_uname_info'

# counters and devices: node_exporter alone shows them
COUNTED = frozenset([CPU, *COUNTERS, *NICS, *DISKS])
WANTED = COUNTED.union(
    [TEMPERATURE, CHIPS, UNAME, LABEL], METERS, GAUGES, PAGED, PEAKS
)

# sensors that sit on a processor, by the names of their drivers
_CPU_CHIP = re.compile(
    r'coretemp|k10temp|zenpower|cpu|soc|scpi_sensors|xgene|apm_xgene', re.I
)
# pieces, layers and what lies in memory; OSDs' own devices always count
_NO_DISK = re.compile(r'(dm-|md|loop|ram|zram|sr|fd|nbd|rbd)\d.*')

Values = Dict[str, float]


@dataclasses.dataclass(frozen=True)
class Reading:
    """Hold what a host showed at one moment.

    ``cpu`` are seconds by mode over all cores since boot; ``counters``
    and the values of disks and network interfaces grow, all else is as it
    is now.
    """

    at: float  # monotonic seconds, or Unix time; of one kind per host
    cores: int
    cpu: Values
    counters: Values
    gauges: Values
    nics: Dict[str, Values]
    disks: Dict[str, Values]
    facts: Dict[str, str]  # machine, nodename, release
    granule: int = 0  # bytes of which all figures of memory are multiples
    held: float = 0.0  # seconds since its `ipmi_watts` were told

    @property
    def empty(self) -> bool:
        """Say whether nothing in it is of use."""
        return not (self.cpu or self.gauges or self.nics or self.disks)


def reading(
    samples: Iterable[Sample],
    at: float,
    disks: Iterable[str] = (),
    held: float = 0.0,
) -> Reading:
    """Return what ``samples`` say; ``disks`` are those of OSDs."""
    cpu: Values = {}
    cores: Set[str] = set()
    counters: Values = {}
    gauges: Values = {}
    nics: Dict[str, Values] = {}
    found: Dict[str, Values] = {}
    facts: Dict[str, str] = {}
    heat: List[Tuple[str, float]] = []
    chips: Dict[str, str] = {}
    meters: Dict[str, Dict[Meter, float]] = {}
    sensors: Dict[Meter, str] = {}
    ours = frozenset(disks)
    granule = 0
    for sample in samples:
        name, labels, value = sample.name, sample.labels, sample.value
        if value != value:
            continue
        device = labels.get('device', '')
        if name in PAGED and 0 < value < math.inf:
            granule = math.gcd(granule, int(value))
        if name == CPU:
            mode = labels.get('mode', '')
            cpu[mode] = cpu.get(mode, 0.0) + value
            cores.add(labels.get('cpu', ''))
        elif name in COUNTERS:
            key = COUNTERS[name]
            counters[key] = counters.get(key, 0.0) + value
        elif name in GAUGES:
            key = GAUGES[name]
            gauges[key] = gauges.get(key, 0.0) + value
        elif name in PEAKS:
            key = PEAKS[name]
            gauges[key] = max(gauges.get(key, value), value)
        elif name in NICS:
            if is_link(device):
                nics.setdefault(device, {})[NICS[name]] = value
        elif name in DISKS:
            if device in ours or not _NO_DISK.fullmatch(device):
                found.setdefault(device, {})[DISKS[name]] = value
        elif name == TEMPERATURE:
            heat.append((labels.get('chip', ''), value))
        elif name == CHIPS:
            chips[labels.get('chip', '')] = labels.get('chip_name', '')
        elif name in METERS:
            meters.setdefault(name, {})[_sensor(labels)] = value
        elif name == LABEL:
            sensors[_sensor(labels)] = labels.get('label', '')
        elif name == UNAME:
            facts = {
                key: labels[key]
                for key in ('machine', 'nodename', 'release')
                if key in labels
            }
    hottest = _temperature(heat, chips, gauges.pop('zone_temperature', None))
    if hottest is not None:
        gauges['temperature'] = hottest
    boards = board_watts(meters, sensors, chips)
    if boards is not None:
        gauges['hwmon_watts'] = boards
    return Reading(
        at,
        len(cores),
        cpu,
        counters,
        gauges,
        nics,
        found,
        facts,
        granule,
        held,
    )


def _sensor(labels: Mapping[str, str]) -> Meter:
    return labels.get('chip', ''), labels.get('sensor', '')


def _temperature(
    heat: List[Tuple[str, float]],
    chips: Mapping[str, str],
    zone: Optional[float],
) -> Optional[float]:
    """Return the hottest processor sensor, else the hottest zone."""
    cpu = [
        value
        for chip, value in heat
        if _CPU_CHIP.search(f'{chip} {chips.get(chip, "")}')
    ]
    return max(cpu) if cpu else zone
