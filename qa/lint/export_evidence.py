"""What the keys of a trial's evidence mean, by part; see exports.py.

Evidence is data of many sources and has no dataclass: an integration test
holds these names against what a real run exports. ``<…>`` is any name.
"""

from typing import Dict

EVIDENCE: Dict[str, Dict[str, str]] = {
    'Any Load': {
        'notes': 'list of texts, for people',
        'unsettled': 'OSDs that had not settled when the trial began',
        'import.tool': 'tool whose results were imported',
        'import.errors_told': 'false where its file does not tell how many '
        'operations failed: of these the summary has 0',
        'client.clients.client': 'number of a process of the load, from 0',
        'client.clients.cores': 'cores that the process used',
        'client.clients.thread': 'name of its busiest thread',
        'client.clients.thread_cores': 'cores that this thread used',
        'client.nic.name': 'busiest network interface of the client host',
        'client.nic.bytes_per_s': 'in its busier direction [B/s]',
        'client.nic.limit_bytes_per_s': 'link speed [B/s]',
        'client.nic.share': 'of the link speed, 0 … 1',
        'client.throttled': 'share of periods in which a CPU quota stopped '
        'the load, 0 … 1',
        'client.nice': 'niceness of the load',
        'client.events_dropped': 'messages of the load that were lost',
        'client.clients.host': 'load host of the process, of several',
        'client.hosts.host': 'one of several load hosts that made the load',
        'client.hosts.ops_per_s': 'that it did in the common window [1/s]',
        'client.hosts.share': 'of all operations, 0 … 1',
        'client.hosts.part': 'of the rate, else of the operations in flight, '
        'that was its, 0 … 1',
        'client.hosts.flying': 'of the operations in flight that was its, '
        '0 … 1',
        'client.hosts.busy': 'share of its cores, 0 … 1',
        'client.hosts.cores': 'that its load used',
        'client.hosts.host_cores': 'that it has',
        'client.hosts.thread_cores': 'that its busiest thread used',
        'client.hosts.clock_ahead': "of the Manager's [s]",
        'client.hosts.clock_bound': 'of that [s]',
        'client.hosts.late': 'its first operation, after the order [s]',
    },
    'RADOS Loads': {
        'client.window': 'list of begin and end of what was measured '
        '[Unix time]',
        'client.concurrency': 'operations in flight, by process',
        'client.run_names': 'names of the runs of rados bench, by process',
        'client.socket_discrepancy': 'greatest difference between what a '
        'process printed and what its admin socket counted, as a share',
        'client.alignment.source': 'what its samples were compared with',
        'client.alignment.discrepancy': 'difference, as a share',
        'client.alignment.spread': 'uncertainty of the comparison [s]',
        'client.rate_quantiles.<name>': 'throughput by seconds; only where '
        'numpy is there [1/s]',
        'client.probe.rate': 'of the latency probe, as planned [1/s]',
        'client.probe.ops': 'its operations that were due in the window',
        'client.probe.ops_per_s': 'as it was [1/s]',
        'client.probe.share': 'of all operations that were the probe’s, 0 … 1',
        'client.probe.failed': 'failed operations',
        'client.probe.errors.<name>': 'their number by error',
        'client.probe.unfinished': 'not ended three seconds after the load',
        'client.probe.mean': 'latency [s]',
        'client.probe.max': 'latency [s]',
        'client.probe.percentiles.<name>': 'latency [s]',
        'client.probe.missing.<name>': 'why a percentile is not available',
        'client.probe.late.<name>': 'how late operations began [s]',
        'client.probe.histogram': 'pairs of bucket and number, see below',
        'client.probe.cpu': 'cores that the probe used',
        'client.probe.reason': "why there are no figures; '': there are",
    },
    'S3 Loads': {
        'client.tool': 'what made the load',
        'client.window': 'list of begin and end of what was measured: of '
        'each burst of deletes [Unix time]',
        'client.between': 'writing what the next burst of deletes takes [s]',
        'client.hosts.errors': 'failed operations of one of them',
        'client.hosts.errors_by_reason.<name>': 'by operation and status',
        'client.hosts.corrupt': 'reads with other content',
        'client.processes': 'of the load',
        'client.connections': 'that were open at a time',
        'client.rate': 'operations begun; null: closed loop [1/s]',
        'client.operations.<op>.ops': 'that ended',
        'client.operations.<op>.unfinished': 'under way at the end',
        'client.operations.<op>.ops_per_s': 'throughput [1/s]',
        'client.operations.<op>.bytes_per_s': 'throughput [B/s]',
        'client.operations.<op>.latency_avg': 'mean, of what ended [s]',
        'client.operations.<op>.latency_max': 'longest [s]',
        'client.operations.<op>.percentiles.<name>': 'latency, with what was '
        'unfinished [s]',
        'client.operations.<op>.first_byte.<name>': 'until the first byte of '
        'a read [s]',
        'client.histograms.<op>.<bucket>': 'number of latencies, see below',
        'client.endpoints.url': 'of a gateway',
        'client.endpoints.ops': 'that ended within the window',
        'client.endpoints.unfinished': 'under way at the end',
        'client.endpoints.errors': 'failed operations',
        'client.endpoints.attempts': 'to connect, that failed',
        'client.endpoints.latency_avg': 'mean [s]',
        'client.endpoints.percentiles.<name>': 'latency [s]',
        'client.errors.<name>': 'failed operations by operation and status',
        'client.attempts.<name>': 'attempts to connect that failed',
        'client.examples': 'texts of errors, five at most',
        'client.over_time.t': 'ends of intervals [s]',
        'client.over_time.bytes_per_s': 'by interval [B/s]',
        'client.over_time.errors': 'by interval',
        'client.over_time.p50': 'latency by interval [s]',
        'client.over_time.p99': 'latency by interval [s]',
        'client.steps.rate': 'at which operations began in a step [1/s]',
        'client.steps.seconds': 'of whole intervals within it [s]',
        'client.steps.ops': 'that ended in it',
        'client.steps.ops_per_s': 'of these [1/s]',
        'client.steps.errors': 'failed operations; of the last one also later '
        'ones',
        'client.steps.latency_avg': 'mean [s]',
        'client.steps.latency_max': 'largest [s]',
        'client.steps.percentiles.<name>': 'latency [s]',
        'client.created': 'objects that were written at most',
        'client.rewritten': 'objects that were overwritten',
        'client.abandoned': 'objects of which is not known whether they are '
        'there',
        'client.substituted': 'operations replaced for lack of objects',
        'client.reconnects': 'connections opened anew',
        'client.retried': 'operations sent again on another connection',
        'client.refused': 'why a gateway refused the load as a whole',
        'client.backed_off': 'pauses of all connections after errors [s]',
        'client.compared': 'reads whose content was compared',
        'client.corrupt': 'of these, those with other content',
        'client.late': 'operations of an open loop that began late',
        'client.lag': 'of the latest one [s]',
        'client.cut': 'operations that had not ended ten seconds after the '
        'load',
        'client.run_queue': 'share of time that processes waited for a core, '
        'by process',
        'client.wanted': 'share of time that the process which did so most '
        'ran or waited for a core',
        'client.nagle.get': 'latency of a small read before the trial [s]',
        'client.nagle.head': 'latency of a stat before the trial [s]',
        'client.nagle.trap': 'whether small reads wait for delayed ACKs',
    },
    'Loads of RBD Images': {
        'client.tool': "'fio' or 'rbd bench'",
        'client.images': 'their names, by process',
        'client.processes': 'one for each image',
        'client.concurrency': 'operations in flight, by process',
        'client.window': 'list of begin and end of the time in which all '
        'images were measured [Unix time]',
        'client.apart': 'between the first and the last image that began '
        'to be measured [s]',
        'client.log_discrepancy': 'what rates that fio states for each image '
        'add up to is more than the rate in the window, as a share',
        'client.counted': 'operations that rbd bench did in all its time',
        'client.operations.<op>.ops': 'of read, of write; further keys as of '
        'S3 loads',
        'client.errors.<name>': 'failed operations by direction and reason, '
        'that of the first one; of a mix, mixed',
    },
    'OSDs': {
        'osds.<osd>.seconds': 'between the two readings of its counters [s]',
        'osds.<osd>.<counter>': 'see the counters of OSDs below',
        'osd_window': 'when counters were read first and last [Unix time]',
        'osd_client_ops': 'operations that load and probe ended meanwhile',
        'histograms.<kind>.p50': 'latency in the OSDs; p95, p99 likewise; '
        'null: less than ten operations are beyond [s]',
        'histograms.<kind>.p95': '[s]',
        'histograms.<kind>.p99': '[s]',
        'histograms.<kind>.bounds.<name>': 'between which it is known; empty: '
        'it is null [s]',
        'histograms.<kind>.buckets': 'upper bound and number [s]',
        'histograms.<kind>.count': 'operations',
        'histograms.<kind>.accuracy': 'for people',
        'histograms.<kind>.osds': 'that answered',
        'histograms.<kind>.osds_missing': 'that did not',
        'tenants.ops_per_s': 'of other pools on the same OSDs [1/s]',
        'tenants.bytes_per_s': '[B/s]',
        'tenants.share': 'of all operations of OSDs there, 0 … 1',
        'tenants.seconds': 'for which they were counted [s]',
        'tenants.pools.<key>': 'the busiest pools: name and operations',
    },
    'Hosts': {
        'hosts.<host>.role': "'osd', 'client', 'gateway' or 'other'",
        'hosts.<host>.roles': 'all of them',
        'hosts.<host>.source': 'URL of the exporter',
        'hosts.<host>.samples': 'intervals between scrapes in the window; 0: '
        'too few, and only what the host is is known',
        'hosts.<host>.failed': 'scrapes that failed',
        'hosts.<host>.covered': 'share of the window that they cover, 0.5 … 1',
        'hosts.<host>.nodename': 'as the kernel names it',
        'hosts.<host>.machine': 'architecture',
        'hosts.<host>.release': 'of the kernel',
        'hosts.<host>.cores': 'CPUs of its kernel: hardware threads',
        'hosts.<host>.ghz': 'highest clock that the kernel states [GHz]',
        'hosts.<host>.cpu_busy': 'share of all CPUs, 0 … 1; so are cpu_user, '
        'cpu_system, cpu_iowait, cpu_steal, cpu_softirq',
        'hosts.<host>.cpu_user': '0 … 1',
        'hosts.<host>.cpu_system': '0 … 1',
        'hosts.<host>.cpu_iowait': '0 … 1',
        'hosts.<host>.cpu_steal': '0 … 1',
        'hosts.<host>.cpu_softirq': '0 … 1',
        'hosts.<host>.load1': 'load of one minute',
        'hosts.<host>.psi_cpu': 'share of time in which a task waited for '
        'it (PSI), 0 … 1',
        'hosts.<host>.psi_io': '0 … 1',
        'hosts.<host>.psi_memory': '0 … 1',
        'hosts.<host>.mem_total': '[B]',
        'hosts.<host>.mem_available': '[B]',
        'hosts.<host>.swap_in_bytes_per_s': 'read back from swap [B/s]',
        'hosts.<host>.temperature': 'highest of the processors [°C]',
        'hosts.<host>.throttled': 'thermal throttling of processors [1/s]',
        'hosts.<host>.watts': 'power [W]',
        'hosts.<host>.watts_source': "'ipmi', 'hwmon' or 'rapl'",
        'hosts.<host>.watts_covered': 'share of the window in which that '
        'source told the power, 0 … 1',
        'hosts.<host>.<figure>_max': 'highest of single intervals',
        'hosts.<host>.<figure>_min': 'lowest of single intervals',
        'hosts.<host>.nics.<nic>.rx_bytes_per_s': 'received [B/s]',
        'hosts.<host>.nics.<nic>.tx_bytes_per_s': 'sent [B/s]',
        'hosts.<host>.nics.<nic>.speed_bytes_per_s': 'link speed [B/s]',
        'hosts.<host>.nics.<nic>.drops_per_s': 'dropped packets [1/s]',
        'hosts.<host>.disks.<disk>.role': "'data', 'db', …: the first of "
        'any OSD of the host',
        'hosts.<host>.disks.<disk>.roles.<osd>': 'what that OSD uses it for',
        'hosts.<host>.disks.<disk>.osds': 'ids of the OSDs that use it',
        'hosts.<host>.disks.<disk>.util': 'share of time in use, 0 … 1',
        'hosts.<host>.disks.<disk>.await': 'mean time of a request [s]',
        'hosts.<host>.disks.<disk>.queue': 'mean length of the queue',
        'hosts.<host>.disks.<disk>.ops_per_s': 'requests [1/s]',
        'hosts.<host>.disks.<disk>.read_bytes_per_s': '[B/s]',
        'hosts.<host>.disks.<disk>.write_bytes_per_s': '[B/s]',
        'hosts.<host>.disks.<disk>.<figure>_max': 'highest of single '
        'intervals',
    },
    'Findings': {
        'findings.version': 'of the rules',
        'findings.limit': "what limited the trial, 'none found' or 'not "
        "available'",
        'findings.unknown': 'limits that too few figures tell of',
        'findings.items.<key>': 'each rule that holds: id, limit, text, '
        'metric, value, threshold, unit, places that pass and all, share of '
        'the window, advice, sources',
        'findings.items.sources.name': 'where the rule comes from',
        'findings.items.sources.url': 'where the rule comes from',
        'findings.outliers.<key>': 'OSDs unlike the others: id, osd, text, '
        'metric, value, median, robust z-score',
        'findings.imbalance.<kind>.max_mean': 'of OSDs or hosts: the busiest '
        'over the mean',
        'findings.imbalance.<kind>.busiest': 'its name',
        'findings.imbalance.<kind>.uneven': 'whether that is much',
        'findings.imbalance.<kind>.places': 'how many it is of, and how many '
        'there are',
    },
}
