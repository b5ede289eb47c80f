"""The command line: `commands/` has a module a command, the others are what commands share.

`interfaces.main` finds the command and is the door.
"""
