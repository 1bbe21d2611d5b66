"""What the manager and its workers say to each other.

Jobs, events, results and the decoder of all of them. The only part of
`worker` that other rooms import; imports nothing but the standard library.
Begin with protocol.py and jobs.py.
"""
