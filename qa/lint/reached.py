# mypy: ignore-errors
"""Names that vulture must not report, each with who reaches it.

Read by vulture alone, never run: it is a list of words, in Python as
vulture wants it. A name that nothing reaches is deleted, not put here.
"""

# ceph-mgr makes the class, reads these, and calls these
Module
NOTIFY_TYPES
MODULE_OPTIONS
SCHEMA
SCHEMA_VERSIONED
can_run
config_notify
notify
_get_arg_value  # of a command

# Ceph's dashboard reads or calls these of a controller or its scopes
RESOURCE_ID
delete
PERFCOMPARE
PERFCOMPARE_FAILURE
__signature__
_._cp_config  # cherrypy's settings of a class
_.delete  # of a RESTController, for DELETE

# Python's own library reads or calls these
_.row_factory
_.arraysize
_.default_port
_.readable
_.readinto
_.submodule_search_locations
trace  # the last argument of __exit__

# a test registers a kind of load by it: the proof of the driver seam
also

# an alias in quotes, for mypy
Inbox

# operations, by the words of users
S3_OVERWRITE
S3_COPY

# fields that are read by name, in JSON of the commands or by the page
_.osds_max_mean
_.hosts_max_mean
_.osds_counted
_.hosts_counted
_.ratio_per_osd
_.episodes
_.cpu_seconds
_.running_seconds
_.p10
_.p25
_.p50
_.p75
_.p90
_.gateway_host
_.warns

# fields of the manifest that analysis/confounders.py compares by name
_.load_tools
_.gateway_arch
_.gateway_tls
_.gateway_version
_.gateway_urls
_.gateway_placement
_.drives
_.mgr_pool_osds

# what the page of a row asks for and is answered, as data
of_round
courses
osd_hosts
