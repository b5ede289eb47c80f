"""What a vault of very many notes costs: to load, publish, verify, ask and store."""
