"""The console script ``wbc``: one verb a module."""
