"""The ranked ladder: queues, clocks, tables and ratings in virtual time."""
