from __future__ import annotations

import pytest

from harness.evidence import EvidenceRun, find_borne
from harness.evidence.controls import SEEDS, false_match, placebo, transplant
from harness.policies.rendering import Rendering
from harness.transcript import Message, Transcript
from tests.evidence.planted import answer, calls, filler, result, transcript, user, with_atom


def many(count: int, size: int) -> Transcript:
    """Results with an atom in the middle of each, all of them named in the answer."""
    messages: list[Message] = []
    for n in range(count):
        messages += [calls(f"step {n}"), result(with_atom(f"ITEM-{1000 + n}", size // 2, size))]
    return transcript(*messages, answer(" ".join(f"ITEM-{1000 + n}" for n in range(count))))


def hiding(run: Transcript, elided: int) -> dict[int, Rendering]:
    return {i: Rendering("cut", elided) for i in run.results()}


class TestPlacebo:
    def test_nothing_hidden_all_seen(self) -> None:
        run = EvidenceRun(find_borne(many(10, 1000)))
        found = placebo(run, lambda _: hiding(run.borne.transcript, 0))
        assert found.visible.tolist() == [10] * SEEDS
        assert found.at_risk.tolist() == [0] * SEEDS

    def test_all_hidden_nothing_seen(self) -> None:
        run = EvidenceRun(find_borne(many(10, 1000)))
        found = placebo(run, lambda _: hiding(run.borne.transcript, 1000))
        assert found.visible.tolist() == [0] * SEEDS
        assert found.at_risk.tolist() == [1] * SEEDS

    def test_chance_is_what_geometry_says(self) -> None:
        """A gap of 300 of 1,000 bytes starts at 0 to 700; it touches bytes 500 to 509 if it starts at 201 to 508."""
        run = EvidenceRun(find_borne(many(200, 1000)))
        found = placebo(run, lambda _: hiding(run.borne.transcript, 300))
        expected = 200 * (1 - 308 / 701)
        assert found.visible.mean() == pytest.approx(expected, rel=0.05)
        assert len(set(found.visible.tolist())) > 5

    def test_the_same_again_and_other_seeds_for_other_transcripts(self) -> None:
        first, other = (
            EvidenceRun(find_borne(t)) for t in (many(30, 1000), transcript(*many(30, 1000).messages, id="b"))
        )
        found, again, others = (
            placebo(run, lambda _, run=run: hiding(run.borne.transcript, 500)) for run in (first, first, other)
        )
        assert found.visible.tolist() == again.visible.tolist()
        assert found.visible.tolist() != others.visible.tolist()

    def test_more_hidden_at_the_same_place_is_never_more_seen(self) -> None:
        run = EvidenceRun(find_borne(many(50, 1000)))
        totals = [
            int(placebo(run, lambda _, n=n: hiding(run.borne.transcript, n)).visible.sum())
            for n in (0, 100, 400, 800, 1000)
        ]
        assert totals == sorted(totals, reverse=True)

    def test_one_whole_place_in_one_result_is_enough(self) -> None:
        value = f"ORD-99812 {filler(980)} ORD-99812"
        run = EvidenceRun(find_borne(transcript(calls("a"), result(value), answer("ORD-99812"))))
        assert placebo(run, lambda _: hiding(run.borne.transcript, 900)).visible.tolist() == [1] * SEEDS

    def test_history_policies_are_asked_at_every_request(self) -> None:
        run = EvidenceRun(find_borne(many(10, 1000)))
        last = len(run.borne.requests) - 1
        asked: list[int] = []

        def views_at(request: int) -> dict[int, Rendering]:
            asked.append(request)
            return hiding(run.borne.transcript, 1000 if request == last else 0)

        assert placebo(run, views_at).visible.tolist() == [0] * SEEDS
        assert asked == [last]


def single(n: int, shared: str = "", cluster: str | None = None) -> Transcript:
    held = f"ORD-{1000 + n}\n{shared}"
    return transcript(user("Go."), calls("a"), result(held), answer(held), id=f"t{n}", cluster=cluster or f"task {n}")


class TestFalseMatch:
    def test_unrelated_work_shares_nothing(self) -> None:
        found = false_match([single(n) for n in range(12)])
        assert (found.own, found.false, found.share) == (12, 0.0, 0.0)
        assert (found.transcripts, found.clusters) == (12, 12)
        assert (found.low, found.high) == (0.0, 0.0)

    def test_what_all_share_is_a_false_match(self) -> None:
        found = false_match([single(n, shared="common_name_7") for n in range(12)])
        assert (found.own, found.false) == (24, 12.0)
        assert found.share == 0.5
        assert found.low == pytest.approx(0.5)
        assert found.high == pytest.approx(0.5)

    def test_the_interval_is_over_clusters(self) -> None:
        mixed = [single(n, shared="common_name_7" if n % 2 else "") for n in range(16)]
        found = false_match(mixed)
        assert found.share is not None
        assert found.low is not None
        assert found.high is not None
        assert found.low < found.share < found.high

    def test_few_clusters_have_no_interval(self) -> None:
        found = false_match([single(n) for n in range(7)])
        assert (found.share, found.low, found.high) == (0.0, None, None)

    @pytest.mark.parametrize(
        "corpus", [[], [single(1)], [single(1, cluster="one"), single(2, cluster="one")], [transcript(user("hi"))]]
    )
    def test_without_unrelated_work_it_is_not_identified(self, corpus: list[Transcript]) -> None:
        assert false_match(corpus).share is None

    def test_a_sub_agent_is_not_unrelated(self) -> None:
        child = transcript(*single(2).messages, id="child", cluster="other", parent="t1")
        assert false_match([single(1), child]).share is None

    def test_without_own_matches_it_is_not_identified(self) -> None:
        idle = [transcript(user("x"), calls("a"), result("nothing"), answer("ok"), id=f"i{n}") for n in range(3)]
        assert false_match(idle).share is None

    def test_order_does_not_matter(self) -> None:
        corpus = [single(n, shared="common_name_7" if n % 3 else "") for n in range(9)]
        assert false_match(corpus) == false_match(corpus[::-1])

    def test_other_results_take_the_places_in_order(self) -> None:
        one = transcript(calls("a"), result("1"), calls("b"), result("2"), calls("c"), result("3"), id="one")
        two = transcript(result("x", is_json=True), result("y", whole="y whole"), id="two")
        moved = transplant(one, two)
        held = [moved.messages[i].result for i in moved.results()]
        assert [(r.content, r.value, r.is_json) for r in held if r] == [
            ("x", "x", True), ("y", "y whole", False), ("x", "x", True),
        ]  # fmt: skip
        assert moved.id == "one"
