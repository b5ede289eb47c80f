"""Where a note belongs: `taxonomy.read_taxonomy` has the paths, `filer.Filer` files notes under them."""
