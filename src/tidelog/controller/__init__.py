"""Pure commands on the state of the cluster.

A command takes the newest image and a request, and gives records and a response. Nothing changes until the records are
replayed, on this node and every other alike.
"""
