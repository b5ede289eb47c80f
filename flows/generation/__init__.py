"""From staged batches to a published generation.

`loading.load_batch` writes batches and the owner's acts, `thread_linking.link_threads` links conversations,
`index_points.points_from_ledger` has every point that an index must hold.
"""
