"""Recall by path: `drill.drilled` surveys paths, and has some picked; `pickers` pick."""
