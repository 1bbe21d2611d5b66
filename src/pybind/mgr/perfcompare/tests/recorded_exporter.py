"""A page of node_exporter 1.11.1 on a host with a link of 10 Gb/s."""

PAGE = """\
node_boot_time_seconds 1.79519577e+09
node_cpu_seconds_total{cpu="0",mode="idle"} 3912.67
node_cpu_seconds_total{cpu="0",mode="iowait"} 29.64
node_cpu_seconds_total{cpu="0",mode="steal"} 33.76
node_cpu_seconds_total{cpu="0",mode="system"} 2931.5
node_cpu_seconds_total{cpu="0",mode="user"} 6532.56
node_cpu_seconds_total{cpu="1",mode="idle"} 3543.74
node_cpu_seconds_total{cpu="1",mode="iowait"} 85.86
node_cpu_seconds_total{cpu="1",mode="steal"} 33
node_cpu_seconds_total{cpu="1",mode="system"} 3019.19
node_cpu_seconds_total{cpu="1",mode="user"} 6677.97
node_memory_MemAvailable_bytes 1.6423047168e+10
node_memory_MemTotal_bytes 2.5276514304e+10
node_network_receive_bytes_total{device="eth0"} 9.686334219e+09
node_network_receive_bytes_total{device="lo"} 4.50716028576e+11
node_network_receive_bytes_total{device="eth1"} 2.9314055e+07
node_network_receive_drop_total{device="eth0"} 0
node_network_receive_drop_total{device="lo"} 0
node_network_receive_drop_total{device="eth1"} 0
node_network_speed_bytes{device="eth0"} -125000
node_network_speed_bytes{device="eth1"} 1.25e+09
node_network_transmit_bytes_total{device="eth0"} 1.5785412e+07
node_network_transmit_bytes_total{device="lo"} 4.50716028576e+11
node_network_transmit_bytes_total{device="eth1"} 1.566428267e+09
node_network_transmit_drop_total{device="eth0"} 0
node_network_transmit_drop_total{device="lo"} 0
node_network_transmit_drop_total{device="eth1"} 0
"""
