"""Reports: pages, figures and tables made of what runs found. No number is computed here that a table does not have."""
