"""What a page says: `extraction.extracted`, cut by its headings (`passages`); and which are worth fetching
(`selection`)."""
