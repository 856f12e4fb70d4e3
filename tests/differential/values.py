"""Attribute values of the reference.

A value is a pair (type, content) that Python compares as DynamoDB does: S str, N Decimal, B bytes, BOOL bool, NULL True,
SS, NS, BS frozenset, L tuple, M dict. Sets are unordered, numbers are compared by value."""

import base64
import re
from decimal import Context, Decimal

from refusal import Refused, invalid_parameter

TYPES = ("S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M")
DIGITS_MAX = 38
EXPONENT_MAX = 125
EXPONENT_MIN = -130
NESTED_LEVELS_MAX = 31

OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
TOO_PRECISE = "Attempting to store more than 38 significant digits in a Number"
NOT_A_NUMBER = "The parameter cannot be converted to a numeric value"
TOO_DEEP = ("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported "
            "limit")

NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")
# Wide enough that a sum of any two numbers is exact.
EXACT = Context(prec=600, Emin=-10**6, Emax=10**6)


def read_number(text):
    """The number, or the refusal of its text."""
    if not NUMBER.match(text):
        raise Refused(f"{NOT_A_NUMBER}: {text}" if text else NOT_A_NUMBER)
    number = Decimal(text)
    check_range(number)
    if not number:
        return Decimal(0)
    number = number.normalize(EXACT)
    if len(number.as_tuple().digits) > DIGITS_MAX:
        raise Refused(TOO_PRECISE)
    return number


def check_range(number):
    if number.adjusted() > EXPONENT_MAX:
        raise Refused(OVERFLOW)
    if number.adjusted() < EXPONENT_MIN:
        raise Refused(UNDERFLOW)


def add(left, right):
    """Exact sum; what cannot be stored is an overflow."""
    total = EXACT.add(left, right)
    if not total:
        return Decimal(0)
    total = total.normalize(EXACT)
    if len(total.as_tuple().digits) > DIGITS_MAX or not EXPONENT_MIN <= total.adjusted() <= EXPONENT_MAX:
        raise Refused(OVERFLOW)
    return total


def subtract(left, right):
    return add(left, right.copy_negate())


def number_text(number):
    """Plain decimal, no exponent, no zeros at either end."""
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def read_value(wire, level=0):
    """A value of a request; faults are refused."""
    if not wire:
        raise Refused("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
    values = [read_typed(kind, content, level) for kind, content in wire.items()]
    if len(values) > 1:
        raise Refused("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
                      "supported datatypes")
    return values[0]


def read_typed(kind, content, level):
    if kind in ("S", "BOOL"):
        return kind, content
    if kind == "N":
        return kind, read_number(content)
    if kind == "B":
        return kind, base64.b64decode(content)
    if kind == "NULL":
        if content is not True:
            raise invalid_parameter("Null attribute value types must have the value of true")
        return kind, True
    if kind in ("SS", "NS", "BS"):
        return kind, read_set(kind, content)
    if level >= NESTED_LEVELS_MAX:
        raise Refused(TOO_DEEP)
    if kind == "L":
        return kind, tuple(read_value(element, level + 1) for element in content)
    return kind, {name: read_value(element, level + 1) for name, element in content.items()}


def read_set(kind, content):
    if not content:
        raise invalid_parameter({"SS": "An string set  may not be empty", "NS": "An number set  may not be empty",
                                 "BS": "Binary sets should not be empty"}[kind])
    if kind == "NS":
        members = [read_number(text) for text in content]
        if len(set(members)) != len(members):
            raise Refused("Input collection contains duplicates")
    elif len(set(content)) != len(content):
        shown = f"Input collection [{', '.join(content)}]"
        raise invalid_parameter(f"{shown} contains duplicates." if kind == "SS" else
                                f"{shown}of type BS contains duplicates.")
    elif kind == "BS":
        members = [base64.b64decode(text) for text in content]
    else:
        members = content
    return frozenset(members)


def read_item(wire):
    """An item or a key of a request. The item itself is no level."""
    item = {}
    for name, value in wire.items():
        if not name:
            raise Refused("Empty attribute name")
        item[name] = read_value(value)
    return item


class Misprint(Exception):
    """A response shows a value in a form that no response may have."""


def read_response_value(wire):
    """A value of a response: its form has to be the one and only canonical one."""
    if not isinstance(wire, dict) or len(wire) != 1:
        raise Misprint(f"not an attribute value: {wire!r}")
    (kind, content), = wire.items()
    if kind in ("N", "NS"):
        for text in content if kind == "NS" else [content]:
            if number_text(Decimal(text)) != text:
                raise Misprint(f"not a canonical number: {text!r}")
    if kind == "L":
        return kind, tuple(map(read_response_value, content))
    if kind == "M":
        return kind, read_response_item(content)
    try:
        return read_value(wire)
    except Refused as fault:
        raise Misprint(f"a value that no item can have: {wire!r}: {fault}") from fault


def read_response_item(wire):
    return {name: read_response_value(value) for name, value in wire.items()}


def ordering_key(value):
    """What orders values of one type: S by UTF-8 bytes, B by unsigned bytes, N by value."""
    kind, content = value
    return content.encode("utf-8") if kind == "S" else content


def show(value):
    """A value as plain wire JSON, sets sorted: for messages to people."""
    kind, content = value
    if kind == "N":
        return {kind: number_text(content)}
    if kind == "B":
        return {kind: base64.b64encode(content).decode()}
    if kind == "SS":
        return {kind: sorted(content)}
    if kind == "NS":
        return {kind: [number_text(number) for number in sorted(content)]}
    if kind == "BS":
        return {kind: [base64.b64encode(member).decode() for member in sorted(content)]}
    if kind == "L":
        return {kind: [show(element) for element in content]}
    if kind == "M":
        return {kind: show_item(content)}
    return {kind: content}


def show_item(item):
    return {name: show(value) for name, value in item.items()}
