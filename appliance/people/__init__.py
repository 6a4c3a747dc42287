"""Who looks after the box: people with roles, their sessions and programs, and the first of them."""
