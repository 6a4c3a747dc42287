"""Training the reader on a desktop (PyTorch, an extra). Nothing on the device imports this."""
