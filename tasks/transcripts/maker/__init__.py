"""Makes the sample transcripts: a scripted agent runs real tools in a temporary folder, and everything is recorded.

    python -m tasks.transcripts.maker OUT_DIR

Every script in `runs/` builds its workspace from a seed, calls tools that really run (shell, files, SQLite, a JSON
service on loopback), reads their output, and passes on what it found there. What a later call or answer needs from
which result, and where in it, goes into `planted.json`. Made twice, the files are equal to the byte.
"""
