"""What all tests share; a test that must run in CI may not be skipped there."""

from __future__ import annotations

import os

import hypothesis
import pytest

hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    must_run = os.environ.get("WORKBENCH_CI") == "1" and not os.environ.get("WORKBENCH_NO_BROWSER")
    if must_run and report.skipped and ({"browser", "node"} & set(item.keywords)):
        report.outcome = "failed"
        report.longrepr = f"skipped, but it must run here: {report.longrepr}"
    return report
