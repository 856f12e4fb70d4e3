"""What must be in the database: what the server has acknowledged and shown, and what it may have done besides.

Items are plain dictionaries from attribute to value in the service's JSON. Each worker owns some items and writes them
alone, so that of those every state is known but for one write that got no answer.
"""
import threading

ACCOUNTS = 8
BALANCE = 1000
COUNTERS = 3  # made larger by ADD
CONTENDED = 3  # made larger by a write under the condition that nobody else was quicker


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
        self.counters = [[0, 0, 0] for _ in range(COUNTERS + CONTENDED)]  # acknowledged, unknown, seen at most
        self.tables = {}  # name -> its possible contents: a list of items, or None: no table
        self.index_changes = 0
        self.index_changing = threading.Event()
        self.extra_index = [False]  # whether the index that comes and goes is there; both while nobody knows
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
    for table in ("plain", "sorted", "indexed"):
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


def check_pages(tables, entries, query):
    """Query gives of each partition what Scan gives, on the table and on the index, in both directions."""
    for name, rows in (("table", tables["sorted"]), ("by_s", entries)):
        for partition in sorted({a for a, _ in rows}):
            expected = {key: row for key, row in rows.items() if key[0] == partition}
            for forward in (True, False):
                found = query(partition, None if name == "table" else name, forward)
                order = [(row["s"]["S"] if name == "by_s" else "", row["b"]["S"]) for row in found]
                if {(row["a"]["S"], row["b"]["S"]): row for row in found} != expected or len(found) != len(expected):
                    raise Violation(f"Query gives {len(found)} rows of {partition} in {name}, Scan {len(expected)}")
                if order != sorted(order, reverse=not forward):
                    raise Violation(f"Query of {partition} in {name} is out of order")


def check_tables(model, found):
    """found: name -> items. Tables that workers create and drop, with what they put into them."""
    for name in set(model.tables) | set(found):
        possible = model.tables.get(name, [None])
        if found.get(name) not in possible:
            raise Violation(f"table {name}: found {found.get(name)}, possible {possible} (None: no table)")
        model.tables[name] = [found.get(name)]


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
