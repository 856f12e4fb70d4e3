"""What a rule reports, and how a rule walks the tree."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

# Never part of the project, wherever they stand.
SKIPPED_FOLDERS = {".git", "build", "node_modules", "__pycache__", "basalt-data"}
CPP_SUFFIXES = {".h", ".cpp"}
CODE_SUFFIXES = CPP_SUFFIXES | {".py", ".mjs", ".js", ".sh", ".lua", ".cmake"}


@dataclass(frozen=True, order=True)
class Finding:
    path: str
    line: int
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.text}"


def project_files(root):
    """Relative paths of all files that are tracked or would be; of all files when git cannot tell."""
    root = Path(root)
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=False)
    top = subprocess.run(["git", "-C", str(root), "rev-parse", "--show-toplevel"], capture_output=True, check=False)
    if listed.returncode == 0 and Path(top.stdout.decode().strip()).resolve() == root.resolve():
        names = sorted(set(listed.stdout.decode().split("\0")) - {""})
        return [Path(name) for name in names if (root / name).is_file()]
    found = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return sorted(path for path in found if not SKIPPED_FOLDERS & set(path.parts))


def read(root, path):
    """The text of a file, or None for one that is not text."""
    data = (Path(root) / path).read_bytes()
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
