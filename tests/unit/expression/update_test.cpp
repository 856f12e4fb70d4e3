// Faults of update expressions by their order, and what an update tells about itself without an item.
#include "expression/update.h"
#include "unit/expression/item_notation.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::expression {
namespace {

constexpr std::string_view kValues = "{:s: 'a', :n: 1, :b: b'a', :o: true, :z: null, :ss: SS('a'), :ns: NS(1), "
                                     ":bs: BS(b'a'), :m: {a: 1}, :l: [1]}";
constexpr std::string_view kNames = "#a=a #b=b #c=c #d=[3]";

/// The message without its prefix; empty: accepted.
std::string fault(std::string_view text)
{
    SyntaxCache cache(1 << 20);
    NotedPlaceholders request(kValues, kNames);
    const auto update = Update::parse(cache, text, *request);
    if (update) {
        return "";
    }
    EXPECT_EQ(update.error().code, ErrorCode::validation);
    const std::string prefix = "Invalid UpdateExpression: ";
    EXPECT_TRUE(update.error().message.starts_with(prefix)) << update.error().message;
    return update.error().message.substr(prefix.size());
}

struct Case {
    std::string text;
    std::string expected;
};

void expect_all(std::initializer_list<Case> cases)
{
    for (const auto &[text, expected] : cases) {
        EXPECT_EQ(fault(text), expected) << text;
    }
}

std::string pair(std::string_view what, std::string_view one, std::string_view two)
{
    return std::string("Two document paths ")
        .append(what)
        .append(" with each other; must remove or rewrite one of these paths; path one: ")
        .append(one)
        .append(", path two: ")
        .append(two);
}

std::string action_type(std::string_view section, std::string_view type)
{
    return std::string("Incorrect operand type for operator or function; operator: ")
        .append(section)
        .append(", operand type: ")
        .append(type);
}

std::string operand_type(std::string_view name, std::string_view type)
{
    return std::string("Incorrect operand type for operator or function; operator or function: ")
        .append(name)
        .append(", operand type: ")
        .append(type);
}

std::string count(std::string_view name, int number)
{
    return std::string("Incorrect number of operands for operator or function; operator or function: ")
        .append(name)
        .append(", number of operands: ")
        .append(std::to_string(number));
}

const std::string kNoName = "An expression attribute name used in the document path is not defined; attribute name: ";
const std::string kNoValue = "An expression attribute value used in expression is not defined; attribute value: ";
const std::string kNoPath = "Operator or function requires a document path; operator or function: ";

TEST(UpdateFaults, Placeholders)
{
    expect_all({
        {"SET a = abort", "Attribute name is a reserved keyword; reserved keyword: abort"},
        {"SET #u = if_not_exists(:u)", kNoName + "#u"},
        {"SET a = if_not_exists(:u) REMOVE #u", kNoName + "#u"},
        {"SET #a = if_not_exists(:u)", kNoValue + ":u"},
        {"SET a = :u, b = :v REMOVE a", kNoValue + ":u"},
        {"ADD a :u, a :w", kNoValue + ":u"},
    });
    std::string deep = "REMOVE a";
    for (int i = 0; i < 31; ++i) {
        deep += ".a";
    }
    expect_all({{deep, ""}, {deep + "[0]", "The document path has too many nesting levels; nesting levels: 33"}});
}

TEST(UpdateFaults, PathsThatOverlapOrConflict)
{
    expect_all({
        {"set d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)", pair("overlap", "[c, [1], a]", "[c]")},
        {"set c.b.#c = a, c = a, #d = a", pair("overlap", "[c, b, c]", "[c]")},
        {"set a = b remove a, #c, #d", pair("overlap", "[a]", "[a]")},
        {"set #c[3].#d = a, #c[3] = a", pair("overlap", "[c, [3], [3]]", "[c, [3]]")},
        {"remove c, #c.a, #d", pair("overlap", "[c]", "[c, a]")},
        {"remove b, c.d set e.f = b, c.d = b, b = b", pair("overlap", "[c, d]", "[c, d]")},
        {"set #c[3].#d = a, #c.#d[3] = if_not_exists(a)", pair("conflict", "[c, [3], [3]]", "[c, [3], [3]]")},
        {"remove a.#c set a[1] = #d", pair("conflict", "[a, c]", "[a, [1]]")},
        {"set a.b = a, a.c = a.b, d[0] = d, d[10] = d", ""},
        {"set a = a.b + a[1]", ""},
    });
}

TEST(UpdateFaults, OperandsOfAddAndDelete)
{
    expect_all({
        {"set b = list_append(:s, a), c = if_not_exists(a) add a.b :s", action_type("ADD", "STRING")},
        {"add a.b :s, c :b", action_type("ADD", "STRING")},
        {"add a :b", action_type("ADD", "BINARY")},
        {"add a :o", action_type("ADD", "BOOLEAN")},
        {"add a :z", action_type("ADD", "NULL")},
        {"add a :m", action_type("ADD", "MAP")},
        {"add a :l", action_type("ADD", "LIST")},
        {"delete a :s", action_type("DELETE", "STRING")},
        {"delete a :n", action_type("DELETE", "NUMBER")},
        {"delete a :b", action_type("DELETE", "BINARY")},
        {"delete a :o", action_type("DELETE", "BOOLEAN")},
        {"delete a :z", action_type("DELETE", "NULL")},
        {"delete a :m", action_type("DELETE", "MAP")},
        {"delete a :l", action_type("DELETE", "LIST")},
        {"add a :n, b :ss, c :ns, d :bs", ""},
        {"delete b :ss, c :ns, d :bs", ""},
    });
}

TEST(UpdateFaults, OperandsOfFunctionsAndArithmetic)
{
    expect_all({
        {"set a = if_not_exists(c)", count("if_not_exists", 1)},
        {"set a = list_append(c, d, e)", count("list_append", 3)},
        {"set a = if_not_exists(:l, c)", kNoPath + "if_not_exists"},
        {"set a = if_not_exists(if_not_exists(a, b), c)", kNoPath + "if_not_exists"},
        {"set a = list_append(:s, a)", operand_type("list_append", "S")},
        {"set a = list_append(a, :n)", operand_type("list_append", "N")},
        {"set a = list_append(:b, :o)", operand_type("list_append", "B")},
        {"set a = list_append(:m, a)", operand_type("list_append", "M")},
        {"set a = a + :s", operand_type("+", "S")},
        {"set a = :n + :b", operand_type("+", "B")},
        {"set a = :o + a", operand_type("+", "BOOL")},
        {"set a = a - :z", operand_type("-", "NULL")},
        {"set a = a - :ss", operand_type("-", "SS")},
        {"set a = :l - :n", operand_type("-", "L")},
        {"set a = list_append(if_not_exists(:n, :l), :s)", kNoPath + "if_not_exists"},
        {"set a = :n + :n, b = list_append(:l, :l), c = if_not_exists(c, :s), d = if_not_exists(d, :n) - :n", ""},
    });
}

Update update_of(std::string_view text, NotedPlaceholders &request)
{
    SyntaxCache cache(1 << 20);
    return Update::parse(cache, text, *request).value();
}

TEST(Update, TellsWhatItChanges)
{
    NotedPlaceholders request(kValues, kNames);
    const Update update = update_of("SET #c.x = :s, b = :n, d = e REMOVE #c.y, f[1] ADD g :ns", request);
    const auto attributes = update.attributes();
    EXPECT_EQ(std::vector(attributes.begin(), attributes.end()),
              (std::vector<std::string_view>{"c", "b", "d", "c", "f", "g"}));
    EXPECT_EQ(update.changed_parts().attributes(), (std::vector<std::string_view>{"c", "b", "d", "f", "g"}));
    for (const auto &[name, expected] : {std::pair{"c", true}, {"f", true}, {"b", false}, {"e", false}, {"x", false}}) {
        EXPECT_EQ(update.reaches_into(name), expected) << name;
    }
    for (const char *name : {"c", "d", "e", "f", "g", "x"}) {
        EXPECT_FALSE(update.assigned_value(name)) << name;
    }
    ASSERT_TRUE(update.assigned_value("b"));
    EXPECT_EQ(notation_of(*update.assigned_value("b")), "1");
}

TEST(Update, CreatesAnItemUnlessItOnlyTakesAway)
{
    for (const auto &[text, expected] : {std::pair{"REMOVE a", false},
                                         {"DELETE a :ss REMOVE b", false},
                                         {"REMOVE a ADD b :n", true},
                                         {"SET a = b", true}}) {
        NotedPlaceholders request(kValues, kNames);
        EXPECT_EQ(update_of(text, request).creates_item(), expected) << text;
    }
    EXPECT_TRUE(Update::of_attribute_updates({}).creates_item());
}

TEST(Update, CostCountsPathsAndValues)
{
    for (const auto &[text, cost] : {std::pair{"REMOVE a", 1U},
                                     {"SET a = :n", 2U},
                                     {"SET a = if_not_exists(b, :n) + c REMOVE d", 5U},
                                     {"ADD n :n DELETE x :s", 4U}}) {
        NotedPlaceholders request("{:n: 1, :s: SS('a')}");
        EXPECT_EQ(update_of(text, request).cost(), cost) << text;
    }
    EXPECT_EQ(Update::of_attribute_updates({}).cost(), 1U);
    const std::vector<AttributeUpdate> removed{{.attribute = "a", .action = AttributeUpdate::Action::remove},
                                               {.attribute = "b", .action = AttributeUpdate::Action::remove},
                                               {.attribute = "c", .action = AttributeUpdate::Action::remove}};
    EXPECT_EQ(Update::of_attribute_updates(removed).cost(), 3U);
}

TEST(Update, MarksWhatItUses)
{
    NotedPlaceholders request("{:a: 1, :b: 2, :c: NS(3)}", "#a=a #b=b");
    (void)update_of("SET x.#a = if_not_exists(#b, :a) - :b DELETE y :c", request);
    EXPECT_TRUE(request->check_all_used());
}

} // namespace
} // namespace basalt::expression
