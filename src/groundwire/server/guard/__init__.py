"""The guard: what every request passes before a route sees it, in one order that no route can leave.

    id → Host → Origin → key → draining, starting → headers → queue → body (size, time) → route (client gone, too late)

Pure ASGI, so that a stream is passed on as it comes. Left out: what goes wrong below HTTP (`groundwire.server.protocol`).
"""
