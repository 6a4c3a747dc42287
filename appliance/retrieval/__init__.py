"""From a question to ranked, judged evidence."""
