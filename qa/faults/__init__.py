"""Faults in every state of runs and recovery tests, and what they leave."""
