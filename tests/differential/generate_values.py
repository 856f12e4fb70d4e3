"""Random attribute values in wire form: all ten types, few enough distinct ones that comparisons meet equal values."""

import base64

STRINGS = ("a", "b", "ab", "abc", "b", "B", "ba", "x", "", " ", "0", "10", "9", "S", "é", "éa", "日本", "\U0001f600", "\uffee",
           "a\"b\\c", "a\nb")
BINARIES = tuple(base64.b64encode(each).decode() for each in
                 (b"a", b"ab", b"b", b"", b"\0", b"\xff", b"\xff\0", b"\x7f", b"\x80\x01", "é".encode()))
ODD_NUMBERS = ("0", "-0", "0.0", "0e5", "0e125", "0e-130", "1e3", "1E+3", "1E-3", "+5", "00012.50", "-0.10", "1000.000",
               "99999999999999999999999999999999999999", "12345678901234567890123456789012345678", "1e125", "-1e125",
               "9.9999999999999999999999999999999999999E+125", "-9.9999999999999999999999999999999999999E+125", "1e-130",
               "-1E-130", "1.5e-130", "100000000000000000000000000000000000000000000", "0.1", "0.2", "0.3", "1e37", "1e38",
               "0.00000000000000000000000000000000000001")
BAD_NUMBERS = ("", "a", "1a", " 1", "1 ", "0x1", "NaN", "Infinity", "-", "1e", "--1", "1e126", "-1e126", "1e-131", "0e126",
               "0e-131", "1e1000", "1e-1000", "123456789012345678901234567890123456789", "1.23456789012345678901234567890123456789")
NAMES = ("a", "b", "c", "d", "e", "f1", "Abc", "x_y", "tags", "num", "name", "size", "data", "Date", "w-dash", "dot.ted",
         "with space", "日本", "9lives", "#h", ":c", "a[0]")
TYPE_WEIGHTS = (("S", 20), ("N", 20), ("B", 8), ("BOOL", 5), ("NULL", 4), ("SS", 7), ("NS", 7), ("BS", 4), ("L", 13),
                ("M", 14))
ALL_TYPES = tuple(kind for kind, _ in TYPE_WEIGHTS)
WEIGHTS = tuple(weight for _, weight in TYPE_WEIGHTS)
FLAT_TYPES = ALL_TYPES[:8]
FLAT_WEIGHTS = WEIGHTS[:8]
LEVELS_MAX = 4


class ValueSource:
    """Draws from one random generator; equal generators give equal values."""

    def __init__(self, random):
        self.random = random

    def chance(self, share):
        return self.random.random() < share

    def kind(self):
        return self.random.choices(ALL_TYPES, WEIGHTS)[0]

    def value(self, level=0):
        random = self.random
        if level >= LEVELS_MAX:
            return self.of_kind(random.choices(FLAT_TYPES, FLAT_WEIGHTS)[0], level)
        return self.of_kind(random.choices(ALL_TYPES, WEIGHTS)[0], level)

    def of_kind(self, kind, level=1):
        random = self.random
        if kind == "S":
            return {"S": random.choice(STRINGS)}
        if kind == "N":
            return {"N": self.number()}
        if kind == "B":
            return {"B": random.choice(BINARIES)}
        if kind == "BOOL":
            return {"BOOL": self.chance(0.5)}
        if kind == "NULL":
            return {"NULL": True}
        if kind == "SS":
            return {"SS": random.sample(STRINGS[:4] + STRINGS[5:], random.randint(1, 4))}
        if kind == "NS":
            return {"NS": [self.spelled(number) for number in random.sample(range(-2, 8), random.randint(1, 4))]}
        if kind == "BS":
            return {"BS": random.sample(BINARIES, random.randint(1, 3))}
        if kind == "L":
            return {"L": [self.value(level + 1) for _ in range(random.choice((0, 1, 2, 3, 3, 4)))]}
        return {"M": {name: self.value(level + 1) for name in random.sample(NAMES, random.choice((0, 1, 2, 2, 3)))}}

    def number(self):
        if self.chance(0.2):
            return self.random.choice(ODD_NUMBERS)
        return self.spelled(self.random.randint(-3, 11))

    def spelled(self, number):
        """The same number, not always in its canonical form."""
        form = self.random.random()
        if form < 0.8:
            return str(number)
        return f"{number}.0" if form < 0.9 else f"{number}e0" if form < 0.95 else f"{number * 10}e-1"

    def bad_value(self):
        """A value that is refused wherever it stands."""
        random = self.random
        fault = random.randrange(8)
        if fault == 0:
            return random.choice(({"SS": []}, {"NS": []}, {"BS": []}))
        if fault == 1:
            return random.choice(({"SS": ["a", "b", "a"]}, {"NS": ["1", "1.0"]}, {"BS": ["Yg==", "Yg=="]}))
        if fault == 2:
            return {"NULL": False}
        if fault == 3:
            return random.choice(({}, {"S": "a", "N": "1"}))
        if fault == 4:
            return random.choice(({"L": [{"N": random.choice(BAD_NUMBERS)}]}, {"M": {"a": {"SS": []}}}))
        if fault == 5:
            return {"NS": ["1", random.choice(BAD_NUMBERS)]}
        return {"N": random.choice(BAD_NUMBERS)}
