"""From a folder of recordings to the text that proves a figure, cell by cell (`# %%` opens in VS Code and Jupytext).

python docs/notebook.py tasks/transcripts/openai-chat/stock-csv.jsonl
"""

# %% A replay: the frames are pandas frames.
import sys
from pathlib import Path
from tempfile import mkdtemp

from harness.api import at_risk, replay

paths = sys.argv[1:] or ["tasks/transcripts/openai-chat/stock-csv.jsonl"]
folder = Path(mkdtemp())
run = replay(paths, policies=["head:bytes=2000", "car"], results=folder / "results")
print(run.transcripts.groupby("policy", observed=True)["input_tokens"].sum())

# %% What a column is, stands on the frame: its kind (never add measured and estimated figures), unit and meaning.
for name in ("input_tokens", "added_evidence"):
    print(name, run.transcripts.attrs["columns"][name])

# %% Keys: a row is a transcript, policy and request; everything joins on them.
requests = run.requests.merge(run.transcripts[["transcript", "policy", "cluster"]], on=["transcript", "policy"])
risk = requests[requests["borne"] > 0].groupby(["policy", "cluster"], observed=True)["at_risk"].agg(["sum", "count"])
print(risk)

# %% The three requests that lose most under head:bytes=2000, and those that car shows whole.
for one in at_risk(run, "head:bytes=2000", 3):
    print(one.transcript, "request", one.request, "-", one.hidden, "of", one.borne, "not visible:", one.states)
print(len(at_risk(run, "head:bytes=2000", 10**6, against="car")), "of them are whole under car")

# %% The proof of each, as pages beside the report.
from harness.show.report import written_report  # noqa: E402

for path in written_report(folder / "results", run.id, folder / "reports", ["html"], 3, False, ["head:bytes=2000"]):
    print(path)
