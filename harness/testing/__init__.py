"""Contract tests for what extends the harness: what every format, policy, engine, exporter and kind of run promises.

    from harness.testing.formats import check_format

    def test_the_contract():
        check_format("parrot", "run.jsonl", SAMPLE)

`harness new format parrot` writes a package with such a test. Each check raises an `AssertionError` that says what was
promised and what came.
"""
