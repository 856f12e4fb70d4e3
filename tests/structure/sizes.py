"""How large files and functions may grow."""

import statistics

from cpp_scan import functions
from finding import CODE_SUFFIXES, CPP_SUFFIXES, Finding, read

FILE_LINES_MAX = 800
FILE_LINES_LARGE = 400
LARGE_FILES_SHARE = 0.05
SOURCE_MEDIAN_MAX = 150
FUNCTION_LINES_MAX = 70


def check(root, files):
    findings = []
    source_lines = []
    for path in files:
        if path.suffix not in CODE_SUFFIXES:
            continue
        text = read(root, path) or ""
        lines = text.count("\n")
        if lines > FILE_LINES_MAX:
            findings.append(Finding(str(path), lines, f"has {lines} lines; {FILE_LINES_MAX} is the limit"))
        if path.suffix not in CPP_SUFFIXES:
            continue
        if path.parts[0] in {"src", "include"}:
            source_lines.append((lines, path))
        for function in functions(text):
            if function.lines > FUNCTION_LINES_MAX:
                findings.append(Finding(str(path), function.line,
                                        f"{function.name} has {function.lines} lines; {FUNCTION_LINES_MAX} is the limit"))
    return findings + list(check_spread(source_lines))


def check_spread(source_lines):
    if not source_lines:
        return
    median = statistics.median(lines for lines, _ in source_lines)
    if median >= SOURCE_MEDIAN_MAX:
        yield Finding("src", 1, f"the median file has {median:.0f} lines; it should stay under {SOURCE_MEDIAN_MAX}")
    large = sorted((entry for entry in source_lines if entry[0] > FILE_LINES_LARGE), reverse=True)
    if len(large) > max(3, len(source_lines) * LARGE_FILES_SHARE):
        names = ", ".join(f"{path} ({lines})" for lines, path in large)
        yield Finding("src", 1, f"too many files over {FILE_LINES_LARGE} lines: {names}")
