"""Whether a prompt asks the live web (`router.routed`), and what leaves the machine then (`outgoing`)."""
