"""Pages over HTTP within bounds; `fetcher.Fetcher` is the door, `browser` renders what needs a browser."""
