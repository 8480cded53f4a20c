"""What the load and fault figures of the server are made with: a server of its own, a load generator, a peer, requests."""
