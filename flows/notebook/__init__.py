"""The memory as Markdown pages in a folder.

`page_export.export_markdown` writes them, `page_edits.import_markdown` takes a person's changes back as acts.
"""
