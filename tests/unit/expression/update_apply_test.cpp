// Items before and after updates.
#include "codec/item_encoding.h"
#include "expression/update.h"
#include "unit/expression/item_notation.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::expression {
namespace {

/// The item after the update, or the message.
std::string applied(const Update &update, std::string_view item, bool exists = true)
{
    const std::string bytes = item_from(item);
    std::string out = "before";
    const auto result = update.apply(model::ItemView(bytes).attributes(), exists, out);
    EXPECT_EQ(out.substr(0, 6), "before");
    out.erase(0, 6);
    if (!result) {
        EXPECT_EQ(out, "");
        EXPECT_EQ(result.error().code, ErrorCode::validation);
        return result.error().message;
    }
    EXPECT_TRUE(codec::is_valid_item(out)) << item;
    return notation_of(model::ItemView(out).attributes());
}

struct Case {
    std::string text;
    std::string item;
    std::string expected;
};

constexpr std::string_view kValues = "{:0: 0, :1: 1, :2: 2, :s: 'v', :t: 'w', :l: ['p', 'q'], :e: [], :m: {x: 1}, "
                                     ":ss: SS('a', 'b', 'c'), :ns: NS(1, 2.50), :bs: BS(b'a')}";

void expect_all(std::initializer_list<Case> cases, bool exists = true)
{
    for (const auto &[text, item, expected] : cases) {
        SyntaxCache cache(1 << 20);
        NotedPlaceholders request(kValues, "#a=a #dot=a.b #3=[3]");
        const auto update = Update::parse(cache, text, *request);
        ASSERT_TRUE(update) << text << ": " << update.error().message;
        EXPECT_EQ(applied(*update, item, exists), expected) << text << "   " << item;
    }
}

const std::string kMissing = "The provided expression refers to an attribute that does not exist in the item";
const std::string kInvalid = "The document path provided in the update expression is invalid for update";
const std::string kWrongType = "An operand in the update expression has an incorrect data type";
const std::string kOverflow =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";

TEST(UpdateApply, SetKeepsTheOrderOfAttributes)
{
    expect_all({
        {"SET a = :s", "{}", "{a: 'v'}"},
        {"SET b = :s", "{a: 1, b: 2, c: 3}", "{a: 1, b: 'v', c: 3}"},
        {"SET z = :1, y = :2, b = :m, x = :s", "{a: 1, b: 2}", "{a: 1, b: {x: 1}, z: 1, y: 2, x: 'v'}"},
        {"SET #dot = :1", "{a: {b: 2}}", "{a: {b: 2}, a.b: 1}"},
        {"SET a.b = :1", "{a.b: 0, a: {b: 2}}", "{a.b: 0, a: {b: 1}}"},
        {"SET a.y = :1, a.c.z = :2, a.b = :s", "{a: {b: 1, c: {}, d: 4}}", "{a: {b: 'v', c: {z: 2}, d: 4, y: 1}}"},
        {"SET a.b[1].c = :1", "{a: {b: [0, {d: 1}]}}", "{a: {b: [0, {d: 1, c: 1}]}}"},
        {"SET a = (:s), b = (b + :1)", "{b: 1}", "{b: 2, a: 'v'}"},
    });
}

TEST(UpdateApply, AllReadsSeeTheOldItem)
{
    expect_all({
        {"SET a = b, b = a", "{a: 1, b: 2}", "{a: 2, b: 1}"},
        {"SET a = a + :1, b = a", "{a: 1}", "{a: 2, b: 1}"},
        {"SET b = a REMOVE a", "{a: {x: [1]}}", "{b: {x: [1]}}"},
        {"SET b = a.x[0], c = a.x, d = a REMOVE a.x[0]", "{a: {x: [1]}}", "{a: {x: []}, b: 1, c: [1], d: {x: [1]}}"},
        {"SET a[0] = a[1], a[1] = a[0]", "{a: [1, 2]}", "{a: [2, 1]}"},
        {"SET a.b = a", "{a: {b: 1}}", "{a: {b: {b: 1}}}"},
        {"SET c = if_not_exists(b, :1) ADD b :2", "{}", "{c: 1, b: 2}"},
    });
}

TEST(UpdateApply, Functions)
{
    expect_all({
        {"SET a = if_not_exists(a, :1)", "{a: 'x'}", "{a: 'x'}"},
        {"SET a = if_not_exists(a, :1)", "{}", "{a: 1}"},
        {"SET a = if_not_exists(b.c, if_not_exists(d, :s))", "{b: 1, d: 5}", "{b: 1, d: 5, a: 5}"},
        {"SET a = if_not_exists(b, c)", "{}", kMissing},
        {"SET a = if_not_exists(b, c)", "{b: null}", "{b: null, a: null}"},
        {"SET a = if_not_exists(a, :0) + :1", "{}", "{a: 1}"},
        {"SET a = list_append(a, :l)", "{a: [1]}", "{a: [1, 'p', 'q']}"},
        {"SET a = list_append(:l, a)", "{a: [1]}", "{a: ['p', 'q', 1]}"},
        {"SET a = list_append(a, a)", "{a: [[1], {x: 2}]}", "{a: [[1], {x: 2}, [1], {x: 2}]}"},
        {"SET a = list_append(if_not_exists(a, :e), :l)", "{}", "{a: ['p', 'q']}"},
        {"SET a = if_not_exists(a, list_append(:l, :l))", "{}", "{a: ['p', 'q', 'p', 'q']}"},
        {"SET a.b = list_append(a.b, :l)", "{a: {b: []}}", "{a: {b: ['p', 'q']}}"},
        {"SET a = list_append(b, :l)", "{}", kMissing},
        {"SET a = list_append(:l, b)", "{b: 'x'}", kWrongType},
        {"SET a = list_append(b, c)", "{b: 1}", kWrongType},
        {"SET a = list_append(b, if_not_exists(c, :e))", "{b: SS('x')}", kWrongType},
    });
}

TEST(UpdateApply, Arithmetic)
{
    expect_all({
        {"SET a = a + :1", "{a: 1.5}", "{a: 2.5}"},
        {"SET a = :1 - a", "{a: 99999999999999999999999999999999999999}",
         "{a: -99999999999999999999999999999999999998}"},
        {"SET a = b + b", "{b: -0.5}", "{b: -0.5, a: -1}"},
        {"SET a = b.c[0] - b.c[1]", "{b: {c: [3, 3]}}", "{b: {c: [3, 3]}, a: 0}"},
        {"SET a = a + :1", "{a: 1e125}", kOverflow},
        {"SET a = a + b", "{a: 9e125, b: 9e125}", kOverflow},
        {"SET a = a + :1", "{}", kMissing},
        {"SET a = :1 + b", "{b: '1'}", kWrongType},
        {"SET a = b - c", "{b: '1'}", kWrongType},
        {"SET a = list_append(:e, :e) + :1", "{}", kWrongType},
        {"SET a = if_not_exists(b, :1) + :1", "{b: NS(1)}", kWrongType},
    });
}

TEST(UpdateApply, RemoveIgnoresWhatIsNotThere)
{
    expect_all({
        {"REMOVE a", "{a: 1, b: 2}", "{b: 2}"},
        {"REMOVE a, c", "{b: 2}", "{b: 2}"},
        {"REMOVE a.b", "{a: {b: 1}}", "{a: {}}"},
        {"REMOVE a.b, a.c[0]", "{a: {c: [1]}}", "{a: {c: []}}"},
        {"REMOVE a[5]", "{a: [1]}", "{a: [1]}"},
        {"REMOVE a.b", "{}", kInvalid},
        {"REMOVE a.b", "{a: 1}", kInvalid},
        {"REMOVE a[5].b", "{a: [1]}", kInvalid},
        {"REMOVE a.b.c", "{a: {}}", kInvalid},
        {"DELETE a.b :ss", "{a: {}}", "{a: {}}"},
        {"DELETE a.b :ss", "{}", kInvalid},
    });
}

TEST(UpdateApply, ListsByOldPositions)
{
    expect_all({
        {"REMOVE a[0], a[2]", "{a: [0, 1, 2, 3]}", "{a: [1, 3]}"},
        {"REMOVE a[2], a[0], a[1], a[7]", "{a: [0, 1, 2]}", "{a: []}"},
        {"SET a[1] = :s REMOVE a[0]", "{a: [0, 1, 2]}", "{a: ['v', 2]}"},
        {"SET a[7] = :s, a[5] = :t, a[0] = :1 REMOVE a[1]", "{a: [0, 1, 2]}", "{a: [1, 2, 'w', 'v']}"},
        {"SET a[10] = :s, a[9] = :t", "{a: []}", "{a: ['w', 'v']}"},
        {"SET a[1].b = :1 REMOVE a[0]", "{a: [0, {c: 1}]}", "{a: [{c: 1, b: 1}]}"},
        {"ADD a[3] :1, a[0] :2 SET a[2] = :s", "{a: [5]}", "{a: [7, 'v', 1]}"},
        {"DELETE a[0] :ss REMOVE a[2]", "{a: [SS('a'), 1, 2, 3]}", "{a: [1, 3]}"},
        {"SET a[1] = :s, a[2].b = :1", "{a: [0]}", kInvalid},
        {"set b.c=((c[1])+(b.a)), b.a = a, c[1] = a, c[4] = b.a - b.b, c[2] = b.c add c[8] :ss, c[6] :2",
         "{a: 'k', b: {a: 1, b: 2, c: 3}, c: [1, 3]}",
         "{a: 'k', b: {a: 'k', b: 2, c: 4}, c: [1, 'k', 3, -1, 2, SS('a', 'b', 'c')]}"},
    });
}

TEST(UpdateApply, AddAndDelete)
{
    expect_all({
        {"ADD a :1", "{}", "{a: 1}"},
        {"ADD a :1", "{a: -1}", "{a: 0}"},
        {"ADD a.b :2", "{a: {b: 0.25}}", "{a: {b: 2.25}}"},
        {"ADD a.b :2", "{a: {}}", "{a: {b: 2}}"},
        {"ADD a :ss", "{}", "{a: SS('a', 'b', 'c')}"},
        {"ADD a :ss", "{a: SS('c', 'd', '')}", "{a: SS('c', 'd', '', 'a', 'b')}"},
        {"ADD a :ns, b :bs", "{a: NS(2.5, 3), b: BS(b'')}", "{a: NS(2.5, 3, 1), b: BS(b'', b'a')}"},
        {"ADD a :1", "{a: 1e125}", kOverflow},
        {"ADD a :1", "{a: '1'}", kWrongType},
        {"ADD a :1", "{a: NS(1)}", kWrongType},
        {"ADD a :ns", "{a: 1}", kWrongType},
        {"ADD a :ss", "{a: BS(b'a')}", kWrongType},
        {"ADD a.b :1", "{}", kInvalid},
        {"ADD a.b :1", "{a: []}", kInvalid},
        {"ADD a[0] :1", "{a: {}}", kInvalid},
        {"DELETE a :ss", "{a: SS('x', 'b', 'y')}", "{a: SS('x', 'y')}"},
        {"DELETE a :ns", "{a: NS(2.5, 1)}", "{}"},
        {"DELETE a.b :ss", "{a: {b: SS('a')}}", "{a: {}}"},
        {"DELETE a :ss, b :bs", "{b: BS(b'z')}", "{b: BS(b'z')}"},
        {"DELETE a :ss", "{a: NS(1)}", kWrongType},
        {"DELETE a :ns", "{a: 1}", kWrongType},
        {"DELETE a :ss", "{a: 'a'}", kWrongType},
    });
}

TEST(UpdateApply, NewItems)
{
    expect_all(
        {
            {"REMOVE b, c.d, e[0].f DELETE g :ss, h.i :ss", "{a: 'k'}", "{a: 'k'}"},
            {"REMOVE b.c SET d = a", "{a: 'k'}", "{a: 'k', d: 'k'}"},
            {"SET b.c = a", "{a: 'k'}", kInvalid},
            {"SET b[1] = a", "{a: 'k'}", kInvalid},
            {"REMOVE b.c ADD b.d :1", "{a: 'k'}", kInvalid},
            {"SET c = b", "{a: 'k'}", kMissing},
            {"REMOVE b DELETE c :ss ADD d :1, e :ss SET f = :l", "{a: 'k'}",
             "{a: 'k', d: 1, e: SS('a', 'b', 'c'), f: ['p', 'q']}"},
        },
        false);
}

TEST(UpdateApply, TheFirstFaultInTheOrderOfTheActions)
{
    expect_all({
        {"ADD z :ss REMOVE a.b", "{a: 1, z: 1}", kWrongType},
        {"REMOVE a.b ADD z :ss", "{z: 1, a: 1}", kInvalid},
        {"REMOVE a.b SET c = d", "{a: 1}", kMissing},
        {"ADD a :1, b.c :1, d :ss", "{d: 1, a: 9e125}", kOverflow},
        {"ADD b.c :1, a :1, d :ss", "{d: 1, a: 9e125}", kInvalid},
        {"remove b.a set a = :s", "{b: 'x'}", kInvalid},
        {"remove b[1] set a = :s", "{b: 'x'}", kInvalid},
        {"remove c[1] set a = :s", "{c: {#: 1}}", kInvalid},
        {"remove d.b set a = :s", "{d: [1]}", kInvalid},
        {"SET d.#3 = :s", "{d: [1]}", kInvalid},
        {"SET a.b = :s, a.c.d = :s", "{a: [1]}", kInvalid},
    });
}

std::string nested(int levels, std::string_view inside)
{
    std::string text;
    for (int i = 0; i < levels; ++i) {
        text += i % 2 == 0 ? "{a: " : "[";
    }
    text += inside;
    for (int i = levels; i-- > 0;) {
        text += i % 2 == 0 ? "}" : "]";
    }
    return text;
}

TEST(UpdateApply, Nesting)
{
    const std::string too_deep = "Nesting Levels have exceeded supported limits: Attributes in the item have nested "
                                 "levels beyond supported limit";
    // Maps and lists: of the value, around it.
    for (const auto &[inside, around, passes] :
         {std::tuple{31, 0, true}, {30, 1, true}, {31, 1, false}, {15, 16, true}, {16, 16, false}}) {
        SyntaxCache cache(1 << 20);
        NotedPlaceholders request("{:v: " + nested(inside, "1") + ", :l: []}");
        std::string path = "b";
        for (int i = 0; i < around; ++i) {
            path += i % 2 == 0 ? ".a" : "[0]";
        }
        for (const char *text : {" = :v", " = list_append(v, :l)", " = v"}) {
            if (inside % 2 == 1 && text[3] == 'l') {
                continue;
            }
            const std::string expression = "SET " + path + text;
            const auto update = Update::parse(cache, expression, *request);
            ASSERT_TRUE(update) << update.error().message;
            const std::string item =
                "{v: " + (text[3] == 'l' ? "[" + nested(inside - 1, "1") + "]" : nested(inside, "1")) +
                ", b: " + nested(around, "0") + "}";
            const std::string result = applied(*update, item);
            EXPECT_EQ(result == too_deep, !passes) << path << text << " " << item << " " << result;
        }
    }
}

TEST(UpdateApply, LegacyActions)
{
    using Action = AttributeUpdate::Action;
    NotedPlaceholders values("{:n: 2, :ss: SS('a', 'b'), :ns: NS(1), :l: [1], :s: 'x'}");
    const struct {
        std::string_view attribute;
        Action action;
        std::string_view value;
        std::string item;
        std::string expected;
    } cases[] = {
        {"a.b", Action::put, ":s", "{a: {b: 1}}", "{a: {b: 1}, a.b: 'x'}"},
        {"a", Action::put, ":l", "{a: 1, b: 2}", "{a: [1], b: 2}"},
        {"a", Action::remove, "", "{a: 1, b: 2}", "{b: 2}"},
        {"a[0]", Action::remove, "", "{a: [1]}", "{a: [1]}"},
        {"a", Action::remove, ":ss", "{a: SS('a', 'c')}", "{a: SS('c')}"},
        {"a", Action::remove, ":ss", "{a: SS('b')}", "{}"},
        {"a", Action::remove, ":ss", "{}", "{}"},
        {"a", Action::remove, ":ss", "{a: NS(1)}", "Type mismatch for attribute to update"},
        {"a", Action::add, ":n", "{a: 1}", "{a: 3}"},
        {"a", Action::add, ":n", "{}", "{a: 2}"},
        {"a", Action::add, ":n", "{a: '1'}", "Type mismatch for attribute to update"},
        {"a", Action::add, ":n", "{a: NS(1)}", "Type mismatch for attribute to update"},
        {"a", Action::add, ":ns", "{a: NS(2)}", "{a: NS(2, 1)}"},
        {"a", Action::add, ":l", "{a: [0]}", "{a: [0, 1]}"},
        {"a", Action::add, ":l", "{}", "{a: [1]}"},
        {"a", Action::add, ":l", "{a: SS('x')}", "Type mismatch for attribute to update"},
    };
    for (const auto &c : cases) {
        const AttributeUpdate entry{c.attribute, c.action,
                                    c.value.empty() ? std::nullopt : std::optional(values.value(c.value))};
        EXPECT_EQ(applied(Update::of_attribute_updates({&entry, 1}), c.item), c.expected) << c.attribute << c.item;
    }
    const AttributeUpdate several[] = {{"z", Action::put, values.value(":s")},
                                       {"b", Action::remove, std::nullopt},
                                       {"y", Action::add, values.value(":n")}};
    const Update update = Update::of_attribute_updates(several);
    EXPECT_EQ(applied(update, "{k: 1, b: 2}"), "{k: 1, z: 'x', y: 2}");
    EXPECT_EQ(applied(update, "{k: 1}", false), "{k: 1, z: 'x', y: 2}");
    EXPECT_TRUE(update.creates_item());
    EXPECT_FALSE(update.reaches_into("z"));
    EXPECT_EQ(notation_of(update.assigned_value("z").value()), "'x'");
    EXPECT_FALSE(update.assigned_value("y"));
    EXPECT_EQ(applied(Update::of_attribute_updates({}), "{k: 1}"), "{k: 1}");
}

TEST(UpdateApply, ChangedParts)
{
    NotedPlaceholders request(kValues);
    SyntaxCache cache(1 << 20);
    const Update update =
        Update::parse(cache, "SET a.b = :1, a.c[1] = :2, d = :s, e[9] = :s REMOVE f[0]", *request).value();
    const std::string old = item_from("{k: 0, f: [0, 1, 2], a: {x: 1, b: 2, c: [3, 4]}, e: []}");
    std::string now;
    ASSERT_TRUE(update.apply(model::ItemView(old).attributes(), true, now));
    const auto parts = [&](const std::string &item) {
        std::string out;
        update.changed_parts().append_item(model::ItemView(item).attributes(), out);
        return notation_of(model::ItemView(out).attributes());
    };
    EXPECT_EQ(parts(old), "{f: [0], a: {b: 2, c: [4]}}");
    EXPECT_EQ(parts(now), "{f: [1], a: {b: 1, c: [2]}, d: 'v'}");
}

} // namespace
} // namespace basalt::expression
