"""What a power cut leaves of a data directory, by the journal that power_cut_files.h describes.

Of the changes of names since the last sync of the directory a random beginning survives, as a journalling file system
leaves it; the rest is undone from the end. Of each file survives what was synced and a random part of the rest, whose
end may be garbled.
"""
import os
import shutil
import sys
from dataclasses import dataclass, field
from random import Random


@dataclass
class Journal:
    """The events since the last cut."""
    synced: dict = field(default_factory=dict)  # name -> safe length; files not in it are safe as a whole
    changes: list = field(default_factory=list)  # of names, not safe yet: (undo, arguments, lengths before)

    def read(self, path):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                event, *arguments = line.rstrip("\n").split(" ")
                getattr(self, event)(*arguments)
        return self

    def change(self, kind, *arguments):
        names = [name for name in arguments[:2] if name != "-"]
        self.changes.append((kind, arguments, {name: self.synced.get(name) for name in names}))

    def create(self, name, saved):
        self.change("create", name, saved)
        self.synced[name] = 0

    def sync(self, name, length):
        if name in self.synced:
            self.synced[name] = max(self.synced[name], int(length))

    def rename(self, old, new, saved):
        self.change("rename", old, new, saved)
        if old in self.synced:
            self.synced[new] = self.synced.pop(old)
        else:
            self.synced.pop(new, None)

    def link(self, old, new):
        self.change("link", old, new)
        if old in self.synced:
            self.synced[new] = self.synced[old]

    def delete(self, name, saved):
        self.change("delete", name, saved)
        self.synced.pop(name, None)

    def directory(self):
        self.changes.clear()


def undo(directory, saved_links, change, synced):
    """Takes back one change of names. The process may have died between writing it down and making it."""
    kind, arguments, lengths = change
    at = [os.path.join(directory, name) for name in arguments]

    def put_back(saved, path):
        if saved != "-":
            if os.path.lexists(path):
                os.unlink(path)
            os.link(os.path.join(saved_links, saved), path)

    if kind == "create":
        if os.path.exists(at[0]):
            os.unlink(at[0])
        put_back(arguments[1], at[0])
    elif kind == "rename":
        if os.path.exists(at[1]) and not os.path.exists(at[0]):
            os.rename(at[1], at[0])
        put_back(arguments[2], at[1])
    elif kind == "link":
        if os.path.exists(at[1]):
            os.unlink(at[1])
    elif kind == "delete":
        if not os.path.exists(at[0]):
            put_back(arguments[1], at[0])
    for name, length in lengths.items():
        if length is None:
            synced.pop(name, None)
        else:
            synced[name] = length


def cut_file(path, safe, random):
    """Cuts what was not synced; what was cut, for people."""
    size = os.path.getsize(path)
    if size <= safe:
        return None
    kept = safe + random.choice((0, size - safe, random.randint(0, size - safe)))
    os.truncate(path, kept)
    garbled = 0
    if kept > safe and random.random() < 0.3:
        garbled = random.randint(1, kept - safe)
        with open(path, "r+b") as file:
            file.seek(kept - garbled)
            file.write(random.choice((bytes(garbled), random.randbytes(garbled))))
    return f"{os.path.basename(path)}: {size} bytes, {safe} safe, {kept} kept, {garbled} of them garbled"


def cut_power(directory, journal_path, random):
    """Leaves the directory as after a power cut, and an empty journal. What was lost, for people."""
    journal = Journal().read(journal_path)
    saved_links = journal_path + ".saved"
    told = []
    survivors = random.randint(0, len(journal.changes))
    for change in reversed(journal.changes[survivors:]):
        undo(directory, saved_links, change, journal.synced)
        told.append(f"undone: {change[0]} {' '.join(change[1])}")
    for name, safe in sorted(journal.synced.items()):
        path = os.path.join(directory, name)
        if os.path.exists(path):
            lost = cut_file(path, safe, random)
            if lost:
                told.append(lost)
    forget(journal_path)
    return told


def forget(journal_path):
    """Everything that is there counts as safe."""
    os.truncate(journal_path, 0)
    shutil.rmtree(journal_path + ".saved")
    os.mkdir(journal_path + ".saved")


if __name__ == "__main__":
    # power_cut.py DATA_DIR JOURNAL SEED
    cut_power(sys.argv[1], sys.argv[2], Random(sys.argv[3]))
