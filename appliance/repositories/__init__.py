"""Git repositories of Markdown as sources: kept in step, searched like archives of the library."""
