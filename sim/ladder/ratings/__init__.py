"""Rating systems as kernels: one file a system, all rating one table at a time behind `update`."""
