"""The families of tasks: templates as data, one file a family."""
