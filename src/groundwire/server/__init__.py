"""The HTTP service: our own routes, other services' wires, the page, and the guard before all of them."""
