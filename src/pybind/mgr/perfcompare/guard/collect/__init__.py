"""Read what is judged: cluster, machine, tools, open ports.

Begin with facts.py.
"""
