"""Keeping a vault whole.

`full_verification.verify`, `index_rebuild.rebuild`, `search_graph.optimize`, `checkup.examine_all` (`mnemic
doctor`), and `forgetting.forget`, which removes from everywhere.
"""
