"""Sample pipelines, each a file as a person would write it, and made-up events to feed them. `tide demo` runs them."""
