"""A private gateway: a radosgw of the run, on pools of the run only."""
