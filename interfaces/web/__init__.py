"""The review page: a local web page on which the owner decides what is kept."""
