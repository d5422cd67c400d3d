"""Other whole-body controllers on the same problem, each in an interpreter of its own; only the benchmark asks for them.

Nothing is imported here: a peer's interpreter has the peer's libraries, not ours.
"""
