"""The files that come with the program: presets and experiments. Data only, found through `importlib.resources`."""
