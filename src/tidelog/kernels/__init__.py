"""hot loops in plain Python, also compiled by Cython into tidelog._compiled."""
