"""What travels: collections of archives that are put together from a definition under bundles/."""
