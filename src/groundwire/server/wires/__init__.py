"""Other services' wires: their paths, requests, answers and errors over our engine, so that moving here is a new base URL.

Each module has a `router`, the `PREFIXES` of the paths whose errors it words (`error_body`, and where the service has its
own statuses and headers `error_status` and `error_headers`), and says what of its service it does otherwise. The key comes
in the header that the service's clients send; the guard reads them all. Our limits hold, also where a service allows less.
"""
