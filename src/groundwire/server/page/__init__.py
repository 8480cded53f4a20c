"""The page: where a person sees which sentence is backed by what. Plain modules and styles from the package, no build step.

Left out: what the page asks for (`groundwire.server.own` and its neighbours).
"""

from groundwire.server.page.routes import router

__all__ = ["router"]
