"""The pages of the application, one file a subject: handlers of GET requests."""
