"""Compares the Decimal type with Python's decimal module on a million seeded cases.

usage: decimal_against_python.py ORACLE [--cases N] [--seed N]
"""

import argparse
import decimal
import random
import re
import subprocess
import sys
import tempfile

NOT_A_NUMBER = "! The parameter cannot be converted to a numeric value"
TOO_MANY_DIGITS = "! Attempting to store more than 38 significant digits in a Number"
OVERFLOW = "! Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "! Number underflow. Attempting to store a number with magnitude smaller than supported range"

# Exact for every sum of two numbers in range.
EXACT = decimal.Context(prec=1000, Emax=10_000, Emin=-10_000, traps=[decimal.Inexact, decimal.InvalidOperation])
GRAMMAR = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?")


class Refused(Exception):
    """Carries the expected answer."""


def read(text):
    match = GRAMMAR.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        raise Refused(NOT_A_NUMBER + (": " + text if text else ""))
    fraction = match[3] or ""
    exponent = int(match[4] or 0)
    if not -(2**63) <= exponent < 2**63:
        raise Refused(NOT_A_NUMBER + ": " + text)
    digits = (match[2] + fraction).lstrip("0")
    magnitude = exponent - len(fraction) + (len(digits) - 1 if digits else 0)
    if magnitude > 125:
        raise Refused(OVERFLOW)
    if magnitude < -130:
        raise Refused(UNDERFLOW)
    if len(digits.rstrip("0")) > 38:
        raise Refused(TOO_MANY_DIGITS)
    return decimal.Decimal(text) if digits else decimal.Decimal(0)


def show(value):
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def size(text):
    """Of canonical text, counted on the text."""
    if text == "0":
        return 1
    integer, _, fraction = text.lstrip("-").partition(".")
    if integer == "0":
        integer, fraction = "", fraction.lstrip("0")
    if not fraction:
        integer = integer.rstrip("0")
    return 1 + (len(integer) + 1) // 2 + (len(fraction) + 1) // 2 + text.startswith("-")


def combine(left, right):
    total = EXACT.normalize(EXACT.add(left, right))
    if len(total.as_tuple().digits) > 38 or (total and not -130 <= total.adjusted() <= 125):
        raise Refused(OVERFLOW)  # one text for all that a result can have wrong
    return show(total)


def expected(line):
    operation, *operands = line.split(" ")
    try:
        values = [read(text) for text in operands]
        if operation == "p":
            text = show(values[0])
            return f"{text} {size(text)}"
        if operation == "c":
            return str((values[0] > values[1]) - (values[0] < values[1]))
        return combine(values[0], values[1] if operation == "+" else values[1].copy_negate())
    except Refused as refused:
        return str(refused)


class Cases:
    MAGNITUDES = (-132, -131, -130, -129, -39, -38, -37, -1, 0, 1, 36, 37, 38, 39, 124, 125, 126, 127)
    LENGTHS = (1, 1, 1, 2, 2, 3, 5, 8, 17, 18, 19, 20, 21, 36, 37, 38, 38, 38, 39, 60)
    ODD = ("", "-", "+", ".", "-.", "e1", "1e", "1e+", "1e+-1", "--1", "1.2.3", "NaN", "Infinity", "0x1", "1_0", "\u0661",
           "1e9223372036854775807", "1e9223372036854775808", "-1e-9223372036854775808", "1e-9223372036854775809",
           "1e2147483648", "0e126", "0e125", "0.0e126", "0e-130", "0e-131", "0.0e-130", "-0", "+0.0", "1e99999999999")

    def __init__(self, seed):
        self.random = random.Random(seed)

    def digits(self):
        pick = self.random
        length = pick.choice(self.LENGTHS) if pick.random() < 0.7 else pick.randint(1, 38)
        style = pick.random()
        if style < 0.2:
            return "9" * length
        if style < 0.4:
            return "1" + "0" * (length - 1) if length < 3 or style < 0.3 else "1" + "0" * (length - 2) + "1"
        return str(pick.randrange(10 ** (length - 1), 10**length))

    def spell(self, digits, exponent):
        """One of the many ways to write digits * 10^exponent."""
        pick = self.random
        digits = "0" * pick.choice((0, 0, 0, 1, 3, 45)) + digits
        zeros = pick.choice((0, 0, 0, 1, 5, 45))
        digits, exponent = digits + "0" * zeros, exponent - zeros
        if pick.random() < 0.6:
            point = pick.randint(0, len(digits))
            digits, exponent = digits[:point] + "." + digits[point:], exponent + len(digits) - point
        if exponent == 0 and pick.random() < 0.8:
            return digits
        if exponent >= 0:
            return digits + pick.choice("eE") + pick.choice(("", "+", "00", "+0")) + str(exponent)
        return digits + pick.choice("eE") + "-" + pick.choice(("", "0")) + str(-exponent)

    def number(self, near=None):
        pick = self.random
        if pick.random() < 0.02:
            return pick.choice(self.ODD)
        digits = self.digits()
        if near is not None:
            magnitude = near + pick.randint(-40, 40)
        elif pick.random() < 0.4:
            magnitude = pick.choice(self.MAGNITUDES)
        else:
            magnitude = pick.randint(-130, 125)
        return pick.choice(("", "", "+", "-", "-")) + self.spell(digits, magnitude - len(digits) + 1)

    def line(self):
        pick = self.random
        operation = pick.choice("pc+-")
        if operation == "p":
            return "p " + self.number()
        left = self.number()
        if left in self.ODD:
            return f"{operation} {left} {self.number()}"
        style = pick.random()
        value = decimal.Decimal(left)
        if style < 0.15:  # the same value in another spelling, or its negative
            sign, digits, exponent = value.as_tuple()
            sign ^= pick.random() < 0.3
            right = "-" * sign + self.spell("".join(map(str, digits)), exponent)
        elif style < 0.8:
            right = self.number(near=value.adjusted())
        else:
            right = self.number()
        return f"{operation} {left} {right}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("oracle")
    parser.add_argument("--cases", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=38)
    arguments = parser.parse_args()

    cases = Cases(arguments.seed)
    failures = 0
    with tempfile.TemporaryFile("w+", encoding="utf-8") as questions:
        for _ in range(arguments.cases):
            questions.write(cases.line() + "\n")
        questions.seek(0)
        answers = subprocess.run([arguments.oracle], stdin=questions, stdout=subprocess.PIPE, check=True, encoding="utf-8")
        questions.seek(0)
        lines = questions.read().splitlines()
    got = answers.stdout.splitlines()
    if len(got) != len(lines):
        sys.exit(f"{len(lines)} questions, {len(got)} answers")
    refused = 0
    for line, answer in zip(lines, got):
        want = expected(line)
        refused += want.startswith("!")
        if answer != want:
            failures += 1
            if failures <= 20:
                print(f"{line}\n  expected {want}\n  got      {answer}")
    print(f"seed {arguments.seed}: {len(lines)} cases, {refused} refused, {failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
