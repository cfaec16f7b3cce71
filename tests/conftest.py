"""What all tests share; a test that must run in CI may not be skipped there."""

from __future__ import annotations

import os

import hypothesis
import pytest

hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")

MUST_RUN = {"browser", "node", "pypi"} if os.environ.get("WORKBENCH_CI") == "1" else set()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and MUST_RUN & set(item.keywords):
        _, _, reason = report.longrepr
        report.outcome = "failed"
        report.longrepr = f"must run where WORKBENCH_CI is 1, but: {reason}"
    return report
