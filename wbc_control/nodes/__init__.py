"""One thin node a file; each module is an executable (``main``)."""
