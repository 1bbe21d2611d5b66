"""What all command lines of clusters must do with words that are wrong."""

from typing import Callable, List

import os
import pathlib

import pytest

Main = Callable[[List[str]], int]


def told(
    main: Main,
    words: List[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    user: int = 0,
) -> str:
    """Return the one line that is said of words that are refused."""
    monkeypatch.setattr(os, 'geteuid', lambda: user)
    assert main(words) == 1
    text = capsys.readouterr().err
    assert text.count('\n') == 1
    return text


def told_and_unchanged(
    main: Main,
    words: List[str],
    folder: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """Return what root is told, who gets no folder of a cluster."""
    found = told(main, ['--dir', str(folder)] + words, capsys, monkeypatch)
    assert not folder.exists()
    return found


def told_without_root(
    main: Main,
    verb: str,
    folder: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """Return what somebody who is not root is told."""
    words = ['--dir', str(folder / 'c'), '--cache', str(folder / 'k'), verb]
    return told(main, words, capsys, monkeypatch, user=1000)
