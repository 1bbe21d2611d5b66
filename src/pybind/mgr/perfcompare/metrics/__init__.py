"""What the OSDs of a group did during a trial, by their own counters."""
