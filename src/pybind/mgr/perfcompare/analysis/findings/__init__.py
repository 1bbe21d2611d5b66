"""Say what limited a trial, with the figures that show it."""
