"""The skill file that `mnemic skill` shows and installs."""
