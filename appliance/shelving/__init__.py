"""What is on the shelf of a running box, and how that changes while it is being asked."""
