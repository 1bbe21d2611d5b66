"""What node_exporter 1.11.1 says, in parts.

PAGE is of a host with a link of 10 Gb/s. SENSORS is of a virtual machine
whose hypervisor took time from it; for the exporter it had the sensors of
two x86 processors as well: files as the kernel shows them on a server.
"""

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

SENSORS = """\
node_boot_time_seconds 1.79530023e+09
node_cpu_core_throttles_total{core="0",package="0"} 17
node_cpu_core_throttles_total{core="0",package="1"} 20
node_cpu_core_throttles_total{core="1",package="0"} 18
node_cpu_core_throttles_total{core="1",package="1"} 21
node_cpu_frequency_max_hertz{cpu="0"} 3.9e+09
node_cpu_frequency_max_hertz{cpu="1"} 3.9e+09
node_cpu_frequency_max_hertz{cpu="2"} 3.9e+09
node_cpu_frequency_max_hertz{cpu="3"} 3.9e+09
node_cpu_package_throttles_total{package="0"} 40
node_cpu_package_throttles_total{package="1"} 41
node_cpu_seconds_total{cpu="0",mode="idle"} 8030.02
node_cpu_seconds_total{cpu="0",mode="iowait"} 193.13
node_cpu_seconds_total{cpu="0",mode="irq"} 0
node_cpu_seconds_total{cpu="0",mode="nice"} 2022.28
node_cpu_seconds_total{cpu="0",mode="softirq"} 532.97
node_cpu_seconds_total{cpu="0",mode="steal"} 45.41
node_cpu_seconds_total{cpu="0",mode="system"} 6349.28
node_cpu_seconds_total{cpu="0",mode="user"} 12146.55
node_cpu_seconds_total{cpu="1",mode="idle"} 7578.79
node_cpu_seconds_total{cpu="1",mode="iowait"} 225.61
node_cpu_seconds_total{cpu="1",mode="irq"} 0
node_cpu_seconds_total{cpu="1",mode="nice"} 1909.51
node_cpu_seconds_total{cpu="1",mode="softirq"} 1120.59
node_cpu_seconds_total{cpu="1",mode="steal"} 48.8
node_cpu_seconds_total{cpu="1",mode="system"} 6598.83
node_cpu_seconds_total{cpu="1",mode="user"} 11807.35
node_hwmon_chip_names{chip="nvme_nvme0",chip_name="nvme"} 1
node_hwmon_chip_names{chip="platform_coretemp_0",chip_name="coretemp"} 1
node_hwmon_chip_names{chip="platform_coretemp_1",chip_name="coretemp"} 1
node_hwmon_temp_celsius{chip="nvme_nvme0",sensor="temp1"} 81.85000000000001
node_hwmon_temp_celsius{chip="platform_coretemp_0",sensor="temp1"} 71
node_hwmon_temp_celsius{chip="platform_coretemp_0",sensor="temp2"} 69
node_hwmon_temp_celsius{chip="platform_coretemp_0",sensor="temp3"} 71
node_hwmon_temp_celsius{chip="platform_coretemp_1",sensor="temp1"} 74
node_hwmon_temp_celsius{chip="platform_coretemp_1",sensor="temp2"} 74
node_hwmon_temp_celsius{chip="platform_coretemp_1",sensor="temp3"} 72
node_load1 30.13
node_memory_MemAvailable_bytes 1.4228066304e+10
node_memory_MemTotal_bytes 2.5276530688e+10
node_pressure_cpu_waiting_seconds_total 17501.230101
node_pressure_io_waiting_seconds_total 3290.5896150000003
node_pressure_memory_waiting_seconds_total 99.473073
node_rapl_dram_joules_total{index="0",path="/sys/class/powercap/intel-rapl:0:0"} 140422.366267
node_rapl_dram_joules_total{index="1",path="/sys/class/powercap/intel-rapl:1:0"} 140422.366267
node_rapl_package_joules_total{index="0",path="/sys/class/powercap/intel-rapl:0"} 240422.366267
node_rapl_package_joules_total{index="1",path="/sys/class/powercap/intel-rapl:1"} 240422.366267
node_vmstat_pswpin 0
"""
