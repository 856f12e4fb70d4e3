"""Random parameters from before expressions, over a given item."""

from generate_values import NAMES
from values import ordering_key, read_value, show

OPERATORS = ("EQ", "EQ", "NE", "LT", "LE", "GT", "GE", "BETWEEN", "IN", "NULL", "NOT_NULL", "BEGINS_WITH", "CONTAINS",
             "NOT_CONTAINS")


class LegacyWriter:
    """Stands in for a writer of expressions that have no placeholders."""

    def __init__(self, source, item, avoid=()):
        self.source = source
        self.random = source.random
        self.item = item
        self.attributes = [name for name in item if name not in avoid] or ["a"]
        self.unused = [name for name in NAMES if name not in avoid]

    def add_placeholders(self, request):
        """None are needed."""

    def chance(self, share):
        return self.random.random() < share

    def attribute(self):
        name = self.random.choice(self.attributes if self.chance(0.85) else self.unused)
        return name, self.item.get(name)

    def conditions(self, request, member, older=True):
        """Fills request[member], and ConditionalOperator where it may stand. older: Value and Exists are known too."""
        conditions = {}
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3))):
            name, value = self.attribute()
            conditions[name] = self.condition(value, older)
        if self.chance(0.12):
            name, condition = self.faulty_condition(older)
            conditions = {name: condition}
        request[member] = conditions
        if len(conditions) > 1 and self.chance(0.7) or self.chance(0.02):
            request["ConditionalOperator"] = self.random.choice(("AND", "OR", "OR"))

    def condition(self, value, older):
        if older and self.chance(0.3):
            if value is None and self.chance(0.7) or self.chance(0.1):
                return {"Exists": False}
            wire = show(value) if value and self.chance(0.7) else self.source.value(2)
            return {"Exists": True, "Value": wire} if self.chance(0.5) else {"Value": wire}
        operator = self.random.choice(OPERATORS)
        arguments = self.arguments(operator, value)
        if arguments is None:
            operator, arguments = "NOT_NULL", []
        if not arguments:
            return {"ComparisonOperator": operator}
        if older and len(arguments) == 1 and self.chance(0.2):
            return {"ComparisonOperator": operator, "Value": arguments[0]}
        return {"ComparisonOperator": operator, "AttributeValueList": arguments}

    def arguments(self, operator, value):
        """Values that this operator takes; None if it says nothing clear about such an attribute."""
        if operator in ("NULL", "NOT_NULL"):
            return []
        kind = value[0] if value else self.random.choice("SNB")
        if operator in ("EQ", "NE"):
            return [show(value) if value and self.chance(0.6) else self.source.of_kind(kind, 2)]
        if operator in ("CONTAINS", "NOT_CONTAINS"):
            if kind not in ("S", "B", "SS", "NS", "BS"):
                return None
            return [self.source.of_kind(kind[0])]
        if kind not in ("S", "N", "B"):
            kind = self.random.choice("SNB")
        if operator == "BEGINS_WITH":
            return [self.source.of_kind("S" if kind == "N" else kind)]
        if operator == "BETWEEN":
            return sorted((self.source.of_kind(kind) for _ in "ab"), key=lambda wire: ordering_key(read_value(wire)))
        if operator == "IN":
            return [self.source.of_kind(kind) for _ in range(self.random.randint(1, 3))]
        return [self.source.of_kind(kind)]

    def faulty_condition(self, older):
        one, text, yes = {"N": "1"}, {"S": "a"}, {"BOOL": True}
        wrong = self.source.of_kind(self.random.choice(("BOOL", "NULL", "SS", "L", "M")))
        faults = [{"ComparisonOperator": "EQ", "AttributeValueList": [one, one]},
                  {"ComparisonOperator": "BETWEEN", "AttributeValueList": [one]},
                  {"ComparisonOperator": "NULL", "AttributeValueList": [one]},
                  {"ComparisonOperator": "BETWEEN", "AttributeValueList": [one, text]},
                  {"ComparisonOperator": "IN", "AttributeValueList": [text, one]},
                  {"ComparisonOperator": self.random.choice(("LT", "LE", "GT", "GE", "IN")), "AttributeValueList": [wrong]},
                  {"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": [self.random.choice((one, yes))]},
                  {"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"N": "2"}, one]},
                  {"ComparisonOperator": "EQ", "AttributeValueList": [self.source.bad_value()]}]
        if older:
            faults += [{}, {"Exists": True}, {"Exists": False, "Value": one}, {"AttributeValueList": [one]},
                       {"ComparisonOperator": "EQ", "Value": one, "AttributeValueList": [one]},
                       {"ComparisonOperator": "EQ", "Value": one, "Exists": True}, {"ComparisonOperator": "LT"}]
        return self.random.choice(self.unused), self.random.choice(faults)

    def updates(self):
        updates = {}
        for _ in range(self.random.choice((1, 1, 2, 3))):
            name, value = self.attribute()
            updates[name] = self.one_update(value)
        if self.chance(0.1):
            updates = {"zz": self.random.choice((
                {"Action": "PUT"}, {}, {"Action": "ADD"},
                {"Action": "ADD", "Value": self.source.of_kind(self.random.choice(("S", "B", "BOOL", "NULL", "M")))},
                {"Action": "DELETE", "Value": self.source.of_kind(self.random.choice(("S", "N", "B", "BOOL", "L", "M")))}))}
        return updates

    def one_update(self, value):
        form = self.random.random()
        if form < 0.4:
            update = {"Value": self.source.value(1)}
            return update if self.chance(0.3) else {"Action": "PUT", **update}
        if form < 0.55:
            return {"Action": "DELETE"}
        action = "ADD" if form < 0.8 else "DELETE"
        fitting = ("SS", "NS", "BS", "N", "L") if action == "ADD" else ("SS", "NS", "BS")
        kind = value[0] if value and value[0] in fitting and self.chance(0.95) else self.random.choice(fitting)
        return {"Action": action, "Value": self.source.of_kind(kind, 2)}

    def attributes_to_get(self, repeated=0.0):
        names = [self.attribute()[0] for _ in range(self.random.randint(1, 4))]
        return names if self.chance(repeated) else list(dict.fromkeys(names))
