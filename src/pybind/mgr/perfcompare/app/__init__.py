"""The use cases: what the CLI and the dashboard can ask for.

One file for each noun; requests.py has what they take and give. Imports all
rooms below, and makes no text for people. Begin with service.py.
"""
