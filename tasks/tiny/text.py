"""How a turn becomes tokens: the prompt frame that needle-rs renders, and a small tokenizer made for it.

The answer begins with a thought of a few tokens, in the form that Needle 3 has for it: the tools that the user asks
for, shown or not, and a verdict. A small network learns the two questions sooner than their combination.

Two choices keep sequences short and copying easy. A whole tool definition, as compact JSON, is one token, and so
is punctuation that always comes together, markers included (a definition written in any other way is cut into
small pieces that the model has never seen). And a space is a token of its own, so that a word is cut into the same
pieces in the query, after a space, as in the argument, after a quotation mark.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import sentencepiece
from needle.model.tokenizer import BOS_ID, CHAT_MARKERS, EOS_ID, PAD_ID, UNK_ID

from tasks.tiny.catalog import TOOLS


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


VERDICTS = {
    "call": ": call", "off_topic": ": no tool for it", "absent_tool": ": not shown",
    "missing_argument": ": not enough said", "negated": ": not wanted",
}  # fmt: skip
DEFINITIONS = [compact(tool) for tool in TOOLS]
SYMBOLS = [
    *DEFINITIONS, *("," + definition for definition in DEFINITIONS), *(tool["name"] for tool in TOOLS),
    '<|im_start|>user\n<tools>[', ']</tools>\n', '<|im_end|>\n<|im_start|>assistant\n',
    '<think>\n', ' + ', *VERDICTS.values(), '\n</think>\n<tool_call>',
    '[{"name":"', '},{"name":"', '","arguments":{"', '":"', '":', '","', '"}}', '}}',
    ']</tool_call><|im_end|>', '[]</tool_call><|im_end|>',
]  # fmt: skip
CONTROL, UNKNOWN, NORMAL, DEFINED, BYTE = 2, 1, 0, 3, 4


def render(turn: dict[str, Any]) -> tuple[str, str]:
    """The prompt and the completion of one turn that has `wanted` and `kind` besides what the held-out sets keep."""
    prompt = (
        f"<|im_start|>user\n<tools>{compact(turn['tools'])}</tools>\n{turn['query']}<|im_end|>\n<|im_start|>assistant\n"
    )
    thought = " + ".join(turn["wanted"]) + VERDICTS[turn["kind"]]
    return prompt, f"<think>\n{thought}\n</think>\n<tool_call>{compact(turn['answers'])}</tool_call><|im_end|>"


class Tokenizer:
    """A SentencePiece BPE model together with which of its pieces are fixed symbols."""

    def __init__(self, path: Path) -> None:
        self.pieces = sentencepiece.SentencePieceProcessor(model_file=str(path))
        self.size: int = self.pieces.GetPieceSize()

    def encode(self, text: str) -> list[int]:
        ids: list[int] = self.pieces.Encode(text)
        return ids

    def example(self, turn: dict[str, Any]) -> tuple[list[int], int]:
        """Token ids of a whole turn, and the index of the first one that is to be learnt."""
        prompt, completion = render(turn)
        start = [BOS_ID, *self.encode(prompt)]
        return [*start, *self.encode(completion), EOS_ID], len(start)

    def blob(self) -> bytes:
        """The tokenizer section of a `.cact` file (layout: docstring of needle.model.export)."""
        fixed = {*CHAT_MARKERS, *(symbol.replace(" ", "▁") for symbol in SYMBOLS)}
        out = bytearray(struct.pack("<IIIIIBBH", self.size, PAD_ID, EOS_ID, BOS_ID, UNK_ID, 0, 1, 0))
        for i in range(self.size):
            piece = self.pieces.IdToPiece(i)
            kind = (
                CONTROL if self.pieces.IsControl(i)
                else UNKNOWN if self.pieces.IsUnknown(i)
                else BYTE if self.pieces.IsByte(i)
                else DEFINED if piece in fixed
                else NORMAL
            )  # fmt: skip
            raw = piece.encode()
            out += struct.pack("<fBH", self.pieces.GetScore(i), kind, len(raw)) + raw
        return bytes(out)


def train_tokenizer(turns: list[dict[str, Any]], folder: Path, size: int) -> Tokenizer:
    """BPE over single words, so that no piece but the space itself holds a space."""
    corpus = folder / "words.txt"
    with open(corpus, "w", encoding="utf-8") as file:
        for turn in turns:
            file.write("\n".join((turn["query"] + " " + render(turn)[1]).split()) + "\n")
    sentencepiece.SentencePieceTrainer.Train(
        input=str(corpus), model_prefix=str(folder / "tokenizer"), model_type="bpe", vocab_size=size,
        user_defined_symbols=CHAT_MARKERS + [symbol.replace(" ", "▁") for symbol in SYMBOLS],
        required_chars="▁", byte_fallback=True, split_digits=True,
        pad_id=PAD_ID, eos_id=EOS_ID, bos_id=BOS_ID, unk_id=UNK_ID, add_dummy_prefix=False,
        remove_extra_whitespaces=False, normalization_rule_name="identity", num_threads=1, minloglevel=2,
        max_sentence_length=20000,
    )  # fmt: skip
    return Tokenizer(folder / "tokenizer.model")
