"""One spelling for each word, before its sentence is looked at: `standard_spelling.spelled`."""
