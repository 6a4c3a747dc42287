"""People's own documents: kept, searched, asked like the library."""
