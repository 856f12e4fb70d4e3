"""The reference by itself: answers that DynamoDB is known to give."""

import unittest

import generate
import run
from reference import Table
from refusal import Refused
from values import Misprint, read_item, read_number, number_text, read_response_value, show_item

KEY = {"pk": {"S": "k"}}
FILTER = "Invalid FilterExpression: "
UPDATE = "Invalid UpdateExpression: "


class ReferenceCase(unittest.TestCase):
    def setUp(self):
        self.table = Table([("pk", "S")])

    def put(self, **attributes):
        self.table.answer("PutItem", {"Item": {**KEY, **attributes}})

    def item(self):
        return show_item(self.table.items[("S", "k"),])

    def update(self, expression, values=None, **more):
        request = {"Key": KEY, "UpdateExpression": expression, **more}
        if values:
            request["ExpressionAttributeValues"] = values
        body = self.table.answer("UpdateItem", request)
        return {member: show_item(content) for member, content in body.items()}

    def matches(self, condition, values=None, names=None):
        request = {"FilterExpression": condition}
        if values:
            request["ExpressionAttributeValues"] = values
        if names:
            request["ExpressionAttributeNames"] = names
        return self.table.answer("Scan", request)["Count"] == 1

    def refused(self, text, call, *arguments, **more):
        with self.assertRaises(Refused) as caught:
            call(*arguments, **more)
        self.assertEqual(caught.exception.texts, {text})


class Numbers(ReferenceCase):
    def test_plain_decimals_come_out(self):
        for text, shown in (("1e3", "1000"), ("-0", "0"), ("00.50", "0.5"), ("1E-3", "0.001"), ("0e125", "0"),
                            ("+7", "7"), ("1e37", "1" + 37 * "0")):
            self.assertEqual(number_text(read_number(text)), shown)

    def test_what_no_number_is(self):
        self.refused("The parameter cannot be converted to a numeric value", read_number, "")
        self.refused("The parameter cannot be converted to a numeric value: 0x1", read_number, "0x1")
        self.refused("Attempting to store more than 38 significant digits in a Number", read_number, 39 * "1")
        for text in ("1e126", "0e126", "-1e400"):
            self.refused("Number overflow. Attempting to store a number with magnitude larger than supported range",
                         read_number, text)
        for text in ("1e-131", "0e-131"):
            self.refused("Number underflow. Attempting to store a number with magnitude smaller than supported range",
                         read_number, text)

    def test_a_sum_that_needs_39_digits_overflows(self):
        self.put(n={"N": "1e38"})
        self.refused("Number overflow. Attempting to store a number with magnitude larger than supported range",
                     self.update, "SET n = n + :one", {":one": {"N": "1"}})


class Values(ReferenceCase):
    def test_faults(self):
        prefix = "One or more parameter values were invalid: "
        for wire, text in (
                ({"SS": []}, prefix + "An string set  may not be empty"),
                ({"NS": []}, prefix + "An number set  may not be empty"),
                ({"BS": []}, prefix + "Binary sets should not be empty"),
                ({"NULL": False}, prefix + "Null attribute value types must have the value of true"),
                ({"SS": ["a", "a"]}, prefix + "Input collection [a, a] contains duplicates."),
                ({"BS": ["Yg==", "Yg=="]}, prefix + "Input collection [Yg==, Yg==]of type BS contains duplicates."),
                ({"NS": ["1", "1.0"]}, "Input collection contains duplicates")):
            self.refused(text, self.put, a=wire)

    def test_31_maps_around_a_scalar_pass_and_32_fail(self):
        value = {"N": "1"}
        for _ in range(31):
            value = {"M": {"a": value}}
        self.put(a=value)
        self.refused("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
                     "supported limit", self.put, a={"M": {"a": value}})

    def test_sets_and_maps_have_no_order_and_lists_have(self):
        self.put(s={"NS": ["1", "2"]}, m={"M": {"a": {"N": "1"}, "b": {"N": "2"}}}, l={"L": [{"N": "1"}, {"N": "2"}]})
        self.assertTrue(self.matches("s = :v", {":v": {"NS": ["2.0", "1"]}}))
        self.assertTrue(self.matches("m = :v", {":v": {"M": {"b": {"N": "2"}, "a": {"N": "1"}}}}))
        self.assertFalse(self.matches("l = :v", {":v": {"L": [{"N": "2"}, {"N": "1"}]}}))


class Conditions(ReferenceCase):
    def test_missing_operands(self):
        self.put()
        one = {":v": {"N": "1"}}
        self.assertTrue(self.matches("a <> :v", one))
        for condition in ("a = :v", "a < :v", "a BETWEEN :v AND :v", "a IN (:v)", "contains(a, :v)"):
            self.assertFalse(self.matches(condition, one))

    def test_stored_types_that_do_not_fit_give_false(self):
        self.put(s={"S": "a"}, n={"N": "1"})
        self.assertFalse(self.matches("s < :v", {":v": {"N": "9"}}))
        self.assertTrue(self.matches("s <> :v", {":v": {"N": "9"}}))
        self.assertFalse(self.matches("size(n) = :v", {":v": {"N": "1"}}))

    def test_the_size_of_a_string_counts_utf_16_units(self):
        self.put(s={"S": "é\U0001d11e"})
        self.assertTrue(self.matches("size(s) = :v", {":v": {"N": "3"}}))

    def test_not_binds_before_and_before_or(self):
        self.put(a={"N": "1"})
        self.assertTrue(self.matches("a = :v OR a = :v AND NOT a = :v", {":v": {"N": "1"}}))
        self.assertFalse(self.matches("(a = :v OR a = :v) AND NOT a = :v", {":v": {"N": "1"}}))

    def test_faults(self):
        for condition, text in (
                ("", "The expression can not be empty;"),
                ("((a = :n))", "The expression has redundant parentheses;"),
                ("foo(a)", "Invalid function name; function: foo"),
                ("size(a)", "The function is not allowed to be used this way in an expression; function: size"),
                ("Status = :n", "Attribute name is a reserved keyword; reserved keyword: Status"),
                ("#p = :n", "An expression attribute name used in the document path is not defined; attribute name: #p"),
                ("a = :v", "An expression attribute value used in expression is not defined; attribute value: :v"),
                ("contains(a)", "Incorrect number of operands for operator or function; "
                                "operator or function: contains, number of operands: 1"),
                ("begins_with(a, :n)", "Incorrect operand type for operator or function; "
                                       "operator or function: begins_with, operand type: N"),
                ("attribute_exists(:n)", "Operator or function requires a document path; "
                                         "operator or function: attribute_exists"),
                ("a[1].b = a[1].b", "The first operand must be distinct from the remaining operands for this operator or "
                                    "function; operator: =, first operand: [a, [1], b]"),
                ("attribute_type(a, :one)", "Invalid attribute type name found; type: 1, "
                                            "valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"),
                ("a BETWEEN :n AND :one", "The BETWEEN operator requires same data type for lower and upper bounds; lower "
                                          "bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:1}")):
            self.refused(FILTER + text, self.matches, condition, {":n": {"N": "1"}, ":one": {"S": "1"}})

    def test_the_first_fault_in_order_is_reported(self):
        self.refused(FILTER + "Invalid function name; function: foo", self.matches, "Status = :v AND foo(a)")
        self.refused(FILTER + "The expression has redundant parentheses;", self.matches, "foo(a) AND ((b = :v))")

    def test_unused_placeholders(self):
        self.refused("Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}",
                     self.matches, "b = :b", {":b": {"N": "1"}, ":c": {"N": "1"}}, {"#a": "a"})


class Updates(ReferenceCase):
    def test_every_read_sees_the_old_item(self):
        self.put(a={"N": "1"}, b={"N": "5"})
        self.update("SET a = b, b = a + :n", {":n": {"N": "10"}})
        self.assertEqual(self.item(), {**KEY, "a": {"N": "5"}, "b": {"N": "11"}})

    def test_list_elements_past_the_end_append_in_the_order_of_indexes(self):
        self.put(l={"L": [{"S": "0"}]})
        self.update("SET l[9] = :nine, l[4] = :four", {":nine": {"S": "9"}, ":four": {"S": "4"}})
        self.assertEqual(self.item()["l"], {"L": [{"S": "0"}, {"S": "4"}, {"S": "9"}]})

    def test_removed_positions_are_those_of_the_old_list(self):
        self.put(l={"L": [{"N": "0"}, {"N": "1"}, {"N": "2"}]})
        self.assertEqual(self.update("REMOVE l[0], l[1], l[8], gone", ReturnValues="UPDATED_NEW"),
                         {"Attributes": {"l": {"L": [{"N": "2"}]}}})

    def test_an_emptied_set_goes_and_an_emptied_list_stays(self):
        self.put(s={"SS": ["a"]}, l={"L": [{"S": "a"}]})
        self.update("DELETE s :s REMOVE l[0]", {":s": {"SS": ["a", "b"]}})
        self.assertEqual(self.item(), {**KEY, "l": {"L": []}})

    def test_a_missing_item(self):
        self.assertEqual(self.update("REMOVE a DELETE b :s", {":s": {"SS": ["a"]}}), {})
        self.assertFalse(self.table.items)
        self.update("ADD n :n", {":n": {"N": "2"}})
        self.assertEqual(self.item(), {**KEY, "n": {"N": "2"}})

    def test_return_values(self):
        value = {":v": {"N": "2"}}
        for kind, expected in (("NONE", {}), ("ALL_OLD", {**KEY, "m": {"M": {"a": {"N": "1"}, "b": {"N": "1"}}}}),
                               ("UPDATED_OLD", {"m": {"M": {"a": {"N": "1"}}}}), ("UPDATED_NEW", {"m": {"M": {"a": {"N": "2"}}}}),
                               ("ALL_NEW", {**KEY, "m": {"M": {"a": {"N": "2"}, "b": {"N": "1"}}}})):
            self.put(m={"M": {"a": {"N": "1"}, "b": {"N": "1"}}})
            self.assertEqual(self.update("SET m.a = :v", value, ReturnValues=kind),
                             {"Attributes": expected} if expected else {})

    def test_faults_of_the_request(self):
        for expression, text in (
                ("SET a = :v SET b = :v", 'The "SET" section can only be used once in an update expression;'),
                ("SET a = :v REMOVE a.b", "Two document paths overlap with each other; must remove or rewrite one of these "
                                          "paths; path one: [a], path two: [a, b]"),
                ("SET a.b = :v REMOVE a[0]", "Two document paths conflict with each other; must remove or rewrite one of "
                                             "these paths; path one: [a, b], path two: [a, [0]]"),
                ("ADD a :v", "Incorrect operand type for operator or function; operator: ADD, operand type: STRING")):
            self.refused(UPDATE + text, self.update, expression, {":v": {"S": "a"}})
        self.refused("One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key",
                     self.update, "SET pk = :v", {":v": {"S": "a"}})

    def test_faults_of_the_item(self):
        self.put(s={"S": "a"})
        self.refused("The provided expression refers to an attribute that does not exist in the item",
                     self.update, "SET a = b")
        self.refused("The document path provided in the update expression is invalid for update",
                     self.update, "SET m.a = :v", {":v": {"N": "1"}})
        self.refused("An operand in the update expression has an incorrect data type",
                     self.update, "ADD s :v", {":v": {"N": "1"}})

    def test_conditions_come_before_faults_of_the_item(self):
        self.refused("The conditional request failed", self.update, "SET a = b", ConditionExpression="attribute_exists(pk)")


class Projections(ReferenceCase):
    def get(self, expression):
        return show_item(self.table.answer("GetItem", {"Key": KEY, "ProjectionExpression": expression})["Item"])

    def test_structure_is_kept_and_lists_are_compacted(self):
        self.put(l={"L": [{"N": "0"}, {"N": "1"}, {"N": "2"}]}, m={"M": {"a": {"N": "1"}, "b": {"N": "2"}}})
        self.assertEqual(self.get("l[2], m.b, l[0]"), {"l": {"L": [{"N": "0"}, {"N": "2"}]}, "m": {"M": {"b": {"N": "2"}}}})

    def test_no_match_gives_an_empty_item(self):
        self.put(l={"L": []})
        self.assertEqual(self.get("l[0], gone.a"), {})


class Comparing(unittest.TestCase):
    """A difference is seen, and only a difference."""

    def test_bodies(self):
        expected = {"Attributes": read_item({"s": {"SS": ["a", "b"]}, "n": {"N": "1.0"}})}
        same = {"Attributes": {"n": {"N": "1"}, "s": {"SS": ["b", "a"]}}}
        self.assertIsNone(run.difference("UpdateItem", expected, 200, same))
        for body in ({"Attributes": {"n": {"N": "2"}, "s": {"SS": ["b", "a"]}}}, {**same, "More": 1}, {},
                     {"Attributes": {"n": {"N": "1.0"}, "s": {"SS": ["b", "a"]}}}):
            self.assertIsNotNone(run.difference("UpdateItem", expected, 200, body))
        self.assertIsNotNone(run.difference("UpdateItem", expected, 400, same))

    def test_errors(self):
        def body(**more):
            return {"__type": "com.amazon.coral.validate#ValidationException", "message": "text", **more}

        self.assertIsNone(run.difference("PutItem", Refused("other", "text"), 400, body()))
        for answer in ((500, body()), (400, body(message="another")), (400, body(__type="ValidationException")),
                       (400, body(Item={}))):
            self.assertIsNotNone(run.difference("PutItem", Refused("text"), *answer))

    def test_misprinted_numbers(self):
        for text in ("1.0", "01", "-0", "1e3", "+1"):
            with self.assertRaises(Misprint):
                read_response_value({"N": text})


class Generating(unittest.TestCase):
    def test_equal_seeds_give_equal_requests_and_others_do_not(self):
        def requests(seed):
            world = generate.World(seed, 3)
            world.table = Table(world.schema)
            drawn = []
            for _ in range(50):
                drawn.append(world.case())
                try:
                    world.table.answer(*drawn[-1][1:])
                except Refused:
                    pass
            return drawn

        self.assertEqual(requests(1), requests(1))
        self.assertNotEqual(requests(1), requests(2))


if __name__ == "__main__":
    unittest.main()
