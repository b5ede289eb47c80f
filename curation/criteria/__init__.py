"""The criteria of the gate, one module each: a pure function from a note and the settings to a finding."""
