"""The whole box as one file, and back from it: people, documents, sources, choices, usage."""
