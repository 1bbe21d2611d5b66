"""Time recoveries: those that happen, and those provoked on purpose."""
