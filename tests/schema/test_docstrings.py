"""The same texts out of Google's, numpydoc's and Sphinx's docstrings; nothing ever fails."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.schema.docstrings import parse_docstring

GOOGLE = """Find a book.

    Longer body: with a colon.

    Args:
        book (str): its title
            second: line of it
        n: how many

    Returns:
        The book.
    """
NUMPY = """Find a book.

    Longer body: with a colon.

    Parameters
    ----------
    book : str
        its title
        second: line of it
    n : int, optional
        how many

    Returns
    -------
    Book
        The book.
    """
SPHINX = """Find a book.

    Longer body: with a colon.

    :param book: its title
        second: line of it
    :type book: str
    :param int n: how many
    :returns: The book.
    """


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, SPHINX], ids=["google", "numpy", "sphinx"])
def test_all_three_styles_say_the_same(text):
    found = parse_docstring(text)
    assert found.description == "Find a book.\n\nLonger body: with a colon."
    assert found.parameters == {"book": "its title second: line of it", "n": "how many"}
    assert found.returns == "The book."


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("Args:\n        book: its title\n        n: how many\n    ", {"book": "its title", "n": "how many"}),
        ("Find.\n\nArgs:\n  book (str) : its title\n", {"book": "its title"}),
        ("Find.\n\nArguments:\n    book: its title\n", {"book": "its title"}),
        ("Find.\n\nParameters\n----------\na, b : int\n    both\n*args\n    rest\n", {"a": "both", "b": "both", "args": "rest"}),
        ("Just words.", {}), ("", {}), (None, {}), ("Args:", {}), (":param", {}), ("Args:\n\n\n", {}),
    ],
)  # fmt: skip
def test_unusual_docstrings_are_read_too(text, parameters):
    assert parse_docstring(text).parameters == parameters


@given(st.text(alphabet="Args:Returns Parameters-\n\t :param,*()") | st.text())
def test_no_text_breaks_it(text):
    parse_docstring(text)
