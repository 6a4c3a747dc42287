"""The library for other assistants, over the Model Context Protocol.

`appliance mcp` is a client of a running box's HTTP API and opens nothing itself. So there is one gate, one
queue for the language model and one place where rights are checked; it works beside the box and on another
machine; and its process needs no model. The `mcp` package, the protocol's own SDK, is imported here alone,
and by no process of a box.
"""
