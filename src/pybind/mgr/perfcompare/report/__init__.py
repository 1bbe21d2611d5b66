"""Write comparisons for people."""
