"""Run directories: the journal that a run can be resumed from, its tables, and the manifest that says it is finished."""
