"""Results of other tools as runs that can be compared."""
