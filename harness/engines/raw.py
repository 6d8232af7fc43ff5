"""Raw envelopes inside of JSON, byte for byte, and back."""

from __future__ import annotations

import base64


def pack(envelope: bytes) -> str | dict[str, str]:
    """An envelope as JSON holds it: the text where it is UTF-8, else base64 in an object."""
    try:
        return envelope.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(envelope).decode("ascii")}


def unpack(packed: str | dict[str, str]) -> bytes:
    """The envelope that `pack` packed."""
    return packed.encode("utf-8") if isinstance(packed, str) else base64.b64decode(packed["base64"])
