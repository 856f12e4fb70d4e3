"""Formatting, where the formatter that the project's files were written with is installed."""

import re
import shutil
import subprocess

from finding import CPP_SUFFIXES, Finding

FORMATTER_VERSION = "14."
MESSAGE = re.compile(r"^(.+?):(\d+):\d+: error: (.*)$", re.M)


def formatter():
    """The path of clang-format in the version whose output is the project's style, or None."""
    for name in ("clang-format-14", "clang-format"):
        path = shutil.which(name)
        if path:
            said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
            if f"version {FORMATTER_VERSION}" in said:
                return path
    return None


def check(root, files):
    program = formatter()
    sources = [str(path) for path in files if path.suffix in CPP_SUFFIXES]
    if program is None or not sources:
        return []
    ran = subprocess.run([program, "--dry-run", "-Werror", "--style=file", *sources], cwd=root, capture_output=True,
                         text=True, check=False)
    if ran.returncode == 0:
        return []
    first = {}
    for path, line, _ in MESSAGE.findall(ran.stderr):
        first.setdefault(path, int(line))
    if not first:
        return [Finding("clang-format", 1, ran.stderr.strip()[:500])]
    return [Finding(path, line, "is not formatted; run clang-format -i on it") for path, line in first.items()]
