"""Log forensics: which trace, which worker, how often, in logs of a few hundred lines."""

from __future__ import annotations

from harness.loop.families.files import FILE
from harness.loop.families.texts import TextTemplate, text_family

TEMPLATES = (
    TextTemplate(
        "web-access", "logs/web.log", "req", ("web-1", "web-2", "web-3"),
        "{t} {group} INFO {key} trace={code} took={number}ms {note} sum={seal}",
        "upstream closed", "{t} web-2 ERROR upstream closed the connection, trace={code}",
        r"GROUP INFO [^\n]*?took=(\d+)ms", ("request", "trace", "checksum", "host", "duration"),
    ),
    TextTemplate(
        "payments", "logs/pay.log", "pay", ("OK", "DENY", "RETRY"),
        "{t} {group} payment={key} key={code} amount={number} note={note} receipt={seal}",
        "certificate expired", "{t} STOP worker: certificate expired, last key={code}",
        r"\bGROUP payment=[^\n]*?amount=(\d+)", ("payment", "key", "receipt", "state", "amount"), sums=True,
        end="write",
    ),
    TextTemplate(
        "disk-usage", "logs/disk.log", "vol", ("store-1", "store-2", "store-3"),
        "{t} {key} mount={code} on={group} used={number}MB owner={note} label={seal}",
        "read-only", "{t} kernel: remounted read-only after I/O errors on {code}",
        r"on=GROUP used=(\d+)MB", ("volume", "mount", "label", "machine", "use"), (90, 160), sums=True,
    ),
    TextTemplate(
        "queue-worker", "logs/worker.log", "job", ("done", "failed", "requeued"),
        "[{t}] worker {key} task {code} -> {group} after {number}s ({note}) digest {seal}",
        "out of memory", "[{t}] worker killed: out of memory in task {code}",
        r"-> GROUP after (\d+)s", ("job", "task", "digest", "outcome", "time"), end="edit",
    ),
    TextTemplate(
        "mail-gateway", "logs/mail.log", "msg", ("relayed", "deferred", "bounced"),
        "{t} smtp[{n}]: {key}: to=<{note}@example.org> id={code} size={number} status={group} hash={seal}",
        "greylisted twice", "{t} smtp[77]: warning: sender greylisted twice, id={code}",
        r"size=(\d+) status=GROUP\b", ("message", "id", "hash", "status", "size"), (200, 380), end="write",
    ),
    TextTemplate(
        "build", "logs/build.log", "step", ("cached", "built", "skipped"),
        "#{n} {t} {key} image {code} {group} in {number} ms: {note} layer {seal}",
        "manifest unknown", "#99 {t} ERROR: manifest unknown: image {code}",
        r"\bGROUP in (\d+) ms", ("step", "image", "layer", "result", "time"), (140, 220), sums=True,
    ),
    TextTemplate(
        "sensor-feed", "logs/feed.log", "probe", ("north", "south", "roof"),
        "{t};{key};session={code};site={group};reading={number};{note};crc={seal}",
        "clock drift", "{t};clock drift of 41 s detected;session={code}",
        r"site=GROUP;reading=(\d+)", ("probe", "session", "crc", "site", "reading"), (250, 420), end="edit",
    ),
)  # fmt: skip

FAMILY = text_family("logs", TEMPLATES, FILE)
