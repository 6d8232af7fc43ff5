"""Re-drive: an engine gets each recorded prompt as each policy renders it, and chooses the next action.

    harness redrive my-session.jsonl --engine openai:url=http://127.0.0.1:8080/v1 --policy head:bytes=2000 --policy car

Teacher-forced: whatever the engine chooses, the next request is again the recorded one. What is measured is whether it
does what the recorded agent did, from what the policy left in sight; not whether the agent would have succeeded.
"""
