"""From a question and its evidence to a cited answer."""
