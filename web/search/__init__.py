"""Search providers behind one protocol; `provider_choice.chosen_provider` opens the one that is set."""
