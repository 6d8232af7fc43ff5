"""Make all sample transcripts.

python -m tasks.transcripts.maker tasks/transcripts
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tasks.transcripts.maker.recordings import write_all
from tasks.transcripts.maker.runs import scripts


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tasks.transcripts.maker", description="Make all sample transcripts."
    )
    parser.add_argument("out_dir", type=Path, help="folder to write claude-code/, openai-chat/ and planted.json into")
    files = write_all((script.make() for script in scripts()), parser.parse_args().out_dir)
    size = sum(path.stat().st_size for path in files)
    print(f"{len(scripts())} runs in {len(files)} files, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
