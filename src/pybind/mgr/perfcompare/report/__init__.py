"""Everything that becomes text for people.

Imports the data of the rooms below, and changes nothing. Begin with
listing.py, text.py (comparisons) and table.py.
"""
