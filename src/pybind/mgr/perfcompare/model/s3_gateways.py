"""Which gateways S3 loads go through."""

ORCH, EXISTING = 'orch', 'existing'  # else private ones of the run

# Of a group, on one host. Of the ports of gateways that the orchestrator
# places each group has as many, as groups may share hosts.
MAX_GATEWAYS = 16

# where a request names its bucket: in the path, or in the name of the host
PATH, VIRTUAL = 'path', 'virtual'
ADDRESSING = (PATH, VIRTUAL)
