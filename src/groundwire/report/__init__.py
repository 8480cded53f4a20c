"""The report: a generated answer as one HTML page that needs no network and runs nothing of what it shows.

Left out: the terminal's drawing and the published record (`groundwire.render`).
"""

from groundwire.report.page import page

__all__ = ["page"]
