"""A recording as one HTML page that needs nothing else: no network, no viewer, no plotting library."""

from wbc_control.recorded.page.document import write_page

__all__ = ["write_page"]
