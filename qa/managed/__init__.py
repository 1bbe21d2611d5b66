"""A cluster that the real cephadm manages, on one machine: `qa/cephadm`."""
