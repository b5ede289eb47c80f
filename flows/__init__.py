"""The flow of data: plain ordered steps, and the Prefect flows that wrap them."""
