"""What must be in the database: what the server has acknowledged and shown, and what it may have done besides.

Items are plain dictionaries from attribute to value in the service's JSON. Each worker owns some items and writes them
alone, so that of those every state is known but for one write that got no answer.
"""
import threading

ACCOUNTS = 8
BALANCE = 1000
COUNTERS = 3


class Violation(Exception):
    pass


class Item:
    """An item that one worker writes."""

    def __init__(self):
        self.state = None  # as acknowledged; None: absent
        self.possible = []  # states that a write without an answer may have left

    def settle(self, found, name):
        """After a crash: takes over what was found, if it may be."""
        if found != self.state and found not in self.possible:
            raise Violation(f"{name}: found {found}, acknowledged {self.state}, possible {self.possible}")
        self.state, self.possible = found, []


class Model:
    def __init__(self):
        self.lock = threading.Lock()
        self.items = {}  # (table, a, b or None) -> Item
        self.counters = [[0, 0, 0] for _ in range(COUNTERS)]  # acknowledged, unknown, seen at most
        self.seen_versions = {}  # (table, a, b or None) -> the largest version that anybody has read

    def item(self, key):
        with self.lock:
            return self.items.setdefault(key, Item())

    def count(self, counter, column, amount=1):
        with self.lock:
            self.counters[counter][column] += amount

    def see_counter(self, counter, value):
        with self.lock:
            self.counters[counter][2] = max(self.counters[counter][2], value)

    def see_version(self, key, version):
        with self.lock:
            self.seen_versions[key] = max(self.seen_versions.get(key, 0), version)


def version_of(item):
    return int(item["version"]["N"])


def check_items(model, tables):
    """tables: name -> {(a, b or None): item}. A worker's items, and nobody's items."""
    for key, item in model.items.items():
        table, a, b = key
        item.settle(tables[table].get((a, b)), f"{table} {a} {b}")
    for table in ("plain", "sorted"):
        for (a, b), found in tables[table].items():
            if a.startswith("w") and (table, a, b) not in model.items:
                raise Violation(f"{table} {a} {b}: {found} was never written")


def check_versions(model, tables):
    """Versions of an item grow; one that was read is not gone. (Deleted items come back with larger versions.)"""
    for (table, a, b), seen in model.seen_versions.items():
        found = tables[table].get((a, b))
        state = model.items[(table, a, b)]
        if found is not None and version_of(found) < seen:
            raise Violation(f"{table} {a} {b}: version {seen} was read, now {version_of(found)}")
        if found is None and getattr(state, "deleted_version", 0) < seen:
            raise Violation(f"{table} {a} {b}: version {seen} was read, now absent")


def check_counters(model, tables):
    for number, counter in enumerate(model.counters):
        acknowledged, unknown, seen = counter
        found = tables["plain"].get((f"counter-{number}", None))
        value = int(found["n"]["N"]) if found else 0
        if not max(acknowledged, seen) <= value <= acknowledged + unknown:
            raise Violation(f"counter {number} is {value}: {acknowledged} increments acknowledged, {unknown} unknown, "
                            f"{seen} seen")
        counter[:] = [value, 0, value]


def check_accounts(tables):
    """Each transfer wrote a receipt: balances are what the receipts say, in both tables."""
    expected = {number: BALANCE for number in range(ACCOUNTS)}
    for (a, _), receipt in tables["sorted"].items():
        if a.startswith("receipts"):
            expected[int(receipt["from"]["N"])] -= int(receipt["amount"]["N"])
            expected[int(receipt["to"]["N"])] += int(receipt["amount"]["N"])
    found = {number: int(tables["plain"][(f"account-{number}", None)]["n"]["N"]) for number in range(ACCOUNTS)}
    if found != expected:
        raise Violation(f"balances {found}, by the receipts {expected}")


def check_index(tables, entries):
    """The local index holds exactly the items that have its key."""
    expected = {key: item for key, item in tables["sorted"].items() if "s" in item}
    if entries != expected:
        missing = [key for key in expected if entries.get(key) != expected[key]]
        surplus = [key for key in entries if key not in expected]
        raise Violation(f"the index lacks or has otherwise {missing}, has too many {surplus}")
