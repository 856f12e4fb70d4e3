// Which items a condition holds for.
#include "expression/condition.h"
#include "expression/evaluation.h"
#include "unit/expression/json_values.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace basalt::expression {
namespace {

constexpr std::size_t kCacheBytes = 1 << 20;

constexpr std::string_view kItem = R"({
    "s": {"S": "hello"}, "s2": {"S": "hello"}, "he": {"S": "he"}, "blank": {"S": ""},
    "n": {"N": "5"}, "n2": {"N": "5.0"}, "ten": {"N": "10"}, "minus3": {"N": "-3"},
    "b": {"B": "hello"}, "be": {"B": ""}, "t": {"BOOL": true}, "f": {"BOOL": false}, "z": {"NULL": true},
    "ss": {"SS": ["a", "b", "c"]}, "ss2": {"SS": ["c", "a", "b"]}, "ns": {"NS": ["1", "2.5"]}, "bs": {"BS": ["x", "y"]},
    "l": {"L": [{"S": "a"}, {"N": "1"}, {"M": {"k": {"SS": ["p", "q"]}}}, {"L": [{"S": "in"}]}, {"NULL": true}]},
    "m": {"M": {"x": {"N": "7"}, "y": {"M": {"z": {"L": [{"S": "deep"}]}}}, "x.y": {"S": "dotted"}}},
    "el": {"L": []}, "em": {"M": {}}, "a.b": {"S": "literal"},
    "uni": {"S": "é𝄞"}, "hell": {"S": "hell"}, "word": {"S": "SS"}
})";

constexpr std::string_view kPlaceholders = R"({
    "#dotted": "a.b", "#xy": "x.y", "#n": "n",
    ":hello": {"S": "hello"}, ":HELLO": {"S": "HELLO"}, ":he": {"S": "he"}, ":ll": {"S": "ll"}, ":e": {"S": ""},
    ":a": {"S": "a"}, ":zz": {"S": "zz"}, ":deep": {"S": "deep"}, ":literal": {"S": "literal"},
    ":dottedtext": {"S": "dotted"}, ":1": {"N": "1"}, ":one": {"N": "1.00"}, ":2": {"N": "2"}, ":3": {"N": "3"},
    ":4": {"N": "4"}, ":5": {"N": "5"}, ":6": {"N": "6"}, ":7": {"N": "7"}, ":0": {"N": "0"}, 
    ":25": {"N": "25e-1"}, ":10": {"N": "10"}, ":m3": {"N": "-3"}, ":bhello": {"B": "hello"}, ":bhe": {"B": "he"},
    ":bx": {"B": "x"}, ":ba": {"B": "a"}, ":t": {"BOOL": true}, ":f": {"BOOL": false}, ":null": {"NULL": true},
    ":abc": {"SS": ["b", "c", "a"]}, ":ab": {"SS": ["a", "b"]}, ":ns": {"NS": ["2.50", "1.0"]},
    ":bs": {"BS": ["y", "x"]}, ":list": {"L": [{"S": "in"}]}, ":el": {"L": []}, ":em": {"M": {}},
    ":kq": {"M": {"k": {"SS": ["q", "p"]}}}, ":S": {"S": "S"}, ":N": {"S": "N"}, ":B": {"S": "B"},
    ":BOOL": {"S": "BOOL"}, ":NULL": {"S": "NULL"}, ":SS": {"S": "SS"}, ":NS": {"S": "NS"}, ":BS": {"S": "BS"},
    ":L": {"S": "L"}, ":M": {"S": "M"}
})";

bool holds(std::string_view text, std::string_view item, std::string_view values = kPlaceholders)
{
    const JsonAttributes attributes(item);
    JsonPlaceholders placeholders(values);
    SyntaxCache cache(kCacheBytes);
    const auto condition = Condition::parse(cache, text, ExpressionKind::filter, *placeholders);
    EXPECT_TRUE(condition) << text << "   " << (condition ? "" : condition.error().message);
    if (!condition) {
        return false;
    }
    const auto again = Condition::parse(cache, text, ExpressionKind::filter, *placeholders);
    EXPECT_EQ(again && again->holds(*attributes), condition->holds(*attributes)) << text;
    return condition->holds(*attributes);
}

void expect_true(std::initializer_list<std::string_view> texts)
{
    for (const std::string_view text : texts) {
        EXPECT_TRUE(holds(text, kItem)) << text;
        EXPECT_FALSE(holds(std::string("NOT (").append(text).append(")"), kItem)) << text;
    }
}

void expect_false(std::initializer_list<std::string_view> texts)
{
    for (const std::string_view text : texts) {
        EXPECT_FALSE(holds(text, kItem)) << text;
        EXPECT_TRUE(holds(std::string("NOT (").append(text).append(")"), kItem)) << text;
    }
}

TEST(Evaluation, Equality)
{
    expect_true({"s = :hello", ":hello = s", "s = s2",     "n = :5",       "n = n2",    "#n = n2",    "b = :bhello",
                 "t = :t",     "f = :f",     "z = :null",  "ss = :abc",    "ss = ss2",  "ns = :ns",   "bs = :bs",
                 "el = :el",   "em = :em",   "l[2] = :kq", "l[3] = :list", ":1 = :one", "blank = :e", "s <> :HELLO",
                 "s <> b",     "s <> n",     "ss <> :ab",  "t <> :f"});
    expect_false({"s = :HELLO", "s = b", "s = n", "t = :f", "t = z", "ss = :ab", "el = em", "l = el", "s <> :hello",
                  "n <> n2", "ss <> ss2", "z <> :null", "ns = ss"});
}

TEST(Evaluation, Order)
{
    expect_true({"s > :he", "s >= :hello", "s <= :hello", "he < s", "n < :6", "n < ten", "ten > n", "minus3 < :0",
                 "minus3 <= :m3", "n2 >= n", ":6 > n", "b > :bhe", "be < b", "blank < s", "s > :HELLO"});
    expect_false({"s < :hello", "s > :hello", "n > ten", "minus3 > :0", "s < :10", "n < :hello", "b > :he", "t < n",
                  "ss < s", "l >= s", "m <= n", "z < s", "n > t"});
}

TEST(Evaluation, Between)
{
    expect_true({"n BETWEEN :5 AND :5", "n BETWEEN :1 AND :10", "n BETWEEN minus3 AND ten", "s BETWEEN :he AND :zz",
                 "b BETWEEN :bhe AND :bx", ":5 BETWEEN minus3 AND ten", "size(ss) BETWEEN :3 AND :3",
                 "n BETWEEN size(ss) AND size(s)", "n BETWEEN size(blank) AND :6"});
    expect_false({"n BETWEEN :6 AND :10", "n BETWEEN :1 AND :4", "n BETWEEN :he AND :zz", "s BETWEEN :1 AND :10",
                  "n BETWEEN ten AND minus3", "t BETWEEN :1 AND :10", "n BETWEEN s AND ten", "n BETWEEN minus3 AND s",
                  "gone BETWEEN :1 AND :10", "n BETWEEN gone AND :10", "n BETWEEN :1 AND gone",
                  "size(n) BETWEEN :0 AND :10", "n BETWEEN size(t) AND :10"});
}

TEST(Evaluation, In)
{
    expect_true({"n IN (:5)", "n IN (:1, :hello, n2)", "s IN (:he, :hello)", "ss IN (:ab, :abc)", "t IN (:f, :t)",
                 "z IN (:null)", "size(s) IN (:1, :5)", "n IN (gone, size(s))", "l[2] IN (:em, :kq)",
                 ":5 IN (gone, n)"});
    expect_false({"n IN (:1, :2)", "s IN (:bhello)", "gone IN (:5)", "gone IN (gone2, gone3)", "size(n) IN (:1, :5)",
                  "n IN (gone, size(n2), :he)"});
}

TEST(Evaluation, MissingOperandsFailAllButUnequal)
{
    expect_true({"gone <> :5", ":5 <> gone", "gone <> gone2", "gone <> s", "size(gone) <> :5", ":5 <> size(gone)",
                 "size(n) <> :5", "size(t) <> size(z)", "m.gone <> :5", "l[9] <> :5", "s.x <> :5", "s[0] <> :5"});
    expect_false({"gone = :5",
                  ":5 = gone",
                  "gone = gone2",
                  "gone < :5",
                  "gone <= :5",
                  "gone > :5",
                  "gone >= :5",
                  ":5 > gone",
                  "size(gone) = :5",
                  "size(gone) > :0",
                  "size(gone) >= :0",
                  "size(n) >= :0",
                  "size(t) >= :0",
                  "size(z) >= :0",
                  "attribute_type(gone, :S)",
                  "begins_with(gone, :he)",
                  "begins_with(:hello, gone)",
                  "contains(gone, :a)",
                  "contains(:hello, gone)",
                  "contains(l, gone)"});
}

TEST(Evaluation, Existence)
{
    expect_true({"attribute_exists(s)", "attribute_exists(z)", "attribute_exists(blank)", "attribute_exists(m.y.z[0])",
                 "attribute_exists(l[2].k)", "attribute_exists(l[3][0])", "attribute_exists(#dotted)",
                 "attribute_exists(m.#xy)", "attribute_not_exists(gone)", "attribute_not_exists(m.gone)",
                 "attribute_not_exists(l[5])", "attribute_not_exists(l[2147483647])", "attribute_not_exists(m[0])",
                 "attribute_not_exists(l.k)", "attribute_not_exists(s.x)", "attribute_not_exists(ss[0])",
                 "attribute_not_exists(m.y.z[0][0])", "attribute_not_exists(gone.gone[1].gone)"});
    expect_false({"attribute_exists(gone)", "attribute_exists(m.y.gone)", "attribute_exists(l[5])",
                  "attribute_exists(el[0])", "attribute_not_exists(s)", "attribute_not_exists(l[4])",
                  "attribute_exists(S)"});
}

TEST(Evaluation, Paths)
{
    expect_true({"m.x = :7", "m.y.z[0] = :deep", "l[0] = :a", "l[1] = :one"});
    expect_true({"#dotted = :literal", "m.#xy = :dottedtext", "l[2].k <> ss", "m.x > l[1]"});
    expect_false({"m.y.z[1] = :deep", "m.x.y = :7", "l[0].a = :a"});
}

TEST(Evaluation, AttributeType)
{
    expect_true({"attribute_type(s, :S)", "attribute_type(n, :N)", "attribute_type(b, :B)", "attribute_type(t, :BOOL)",
                 "attribute_type(z, :NULL)", "attribute_type(ss, :SS)", "attribute_type(ns, :NS)",
                 "attribute_type(bs, :BS)", "attribute_type(l, :L)", "attribute_type(m, :M)",
                 "attribute_type(m.y.z[0], :S)", "attribute_type(size(s), :N)"});
    expect_false({"attribute_type(s, :N)", "attribute_type(ss, :S)", "attribute_type(size(n), :N)"});
}

TEST(Evaluation, BeginsWith)
{
    expect_true({"begins_with(s, :he)", "begins_with(s, :hello)", "begins_with(s, :e)", "begins_with(s, he)",
                 "begins_with(:hello, he)", "begins_with(b, :bhe)", "begins_with(b, be)"});
    expect_false({"begins_with(s, :ll)", "begins_with(he, :hello)", "begins_with(s, :bhe)", "begins_with(b, :he)",
                  "begins_with(s, n)", "begins_with(n, n2)", "begins_with(ss, :a)", "begins_with(l, :a)",
                  "begins_with(n, :e)"});
}

TEST(Evaluation, Contains)
{
    expect_true({"contains(s, :ll)", "contains(s, :hello)", "contains(s, :e)", "contains(blank, :e)", "contains(s, he)",
                 "contains(:hello, he)", "contains(b, :bhe)", "contains(b, be)", "contains(ss, :a)",
                 "contains(ns, :25)", "contains(ns, :one)", "contains(bs, :bx)", "contains(l, :a)", "contains(l, :one)",
                 "contains(l, :kq)", "contains(l, :list)", "contains(l, :null)", "contains(:abc, l[0])",
                 "contains(ns, size(l[3]))"});
    expect_false({"contains(s, :zz)", "contains(s, :bhe)", "contains(b, :he)",   "contains(s, n)",
                  "contains(n, :5)",  "contains(ss, :e)",  "contains(ss, :zz)",  "contains(ss, :ba)",
                  "contains(ss, :1)", "contains(ns, :a)",  "contains(ns, :3)",   "contains(bs, :a)",
                  "contains(l, :em)", "contains(l, :t)",   "contains(l, :he)",   "contains(el, :a)",
                  "contains(m, :7)",  "contains(t, :t)",   "contains(z, :null)", "contains(ss, ss2)",
                  "contains(ss, :ab)"});
}

TEST(Evaluation, Size)
{
    expect_true({"size(s) = :5", "size(blank) = :0", "size(b) = :5", "size(be) = :0", "size(ss) = :3", "size(ns) = :2",
                 "size(bs) = :2", "size(l) = :5", "size(el) = :0", "size(m) = :3", "size(em) = :0", "size(:hello) = :5",
                 "size(m.y.z[0]) = :4", "size(s) = size(b)", "size(s) > size(ss)", "size(s) <= n", ":5 >= size(s)",
                 "size(s) <> s", "n = size(s)"});
    expect_false({"size(s) = :4", "size(s) < :5", "size(s) = s", "size(n) = :1", "size(t) = :1", "size(z) = :1"});
}

TEST(Evaluation, SizeOfTextCountsUtf16Units)
{
    EXPECT_TRUE(holds("size(uni) = :3", kItem));
    for (const auto &[text, units] :
         {std::pair{"", 0}, {"a", 1}, {"é", 1}, {"€", 1}, {"𝄞", 2}, {"a€𝄞é", 5}, {"👩‍👧", 5}}) {
        const std::string item = std::string(R"({"v":{"S":")") + text + R"("}})";
        const std::string values = R"({":n":{"N":")" + std::to_string(units) + R"("}})";
        EXPECT_TRUE(holds("size(v) = :n", item, values)) << text;
    }
    // In a map and a set it is the members that count.
    EXPECT_TRUE(holds("size(v) = :n", R"({"v":{"SS":["𝄞𝄞"]}})", R"({":n":{"N":"1"}})"));
}

TEST(Evaluation, Logic)
{
    expect_true({"s = :hello AND n = :5", "s = :zz OR n = :5", "s = :zz OR n = :6 OR t = :t", "NOT s = :zz AND n = :5",
                 "s = :hello OR s = :zz AND n = :6", "NOT NOT n = :5", "NOT (s = :zz OR n = :6)",
                 "NOT s = :zz OR n = :6", "(s = :zz OR n = :5) AND t = :t"});
    expect_false({"s = :hello AND n = :6", "s = :hello AND n = :5 AND t = :f", "s = :zz OR n = :6",
                  "(s = :hello OR s = :zz) AND n = :6", "NOT s = :hello AND n = :5", "NOT NOT NOT n = :5"});
}

/// Random conditions without static faults, most of them with operands of the wrong type or missing.
class Generator {
public:
    explicit Generator(std::uint32_t seed)
        : random_(seed)
    {}

    std::string condition(int depth)
    {
        switch (depth == 0 ? below(5) : below(9)) {
        case 0:
            return operand() + pick({" = ", " <> "}) + operand();
        case 1:
            return path() + pick({" < ", " <= ", " > ", " >= "}) + scalar();
        case 2:
            return pick({"attribute_exists(", "attribute_not_exists("}) + path() + ")";
        case 3:
            return pick({"begins_with(", "contains("}) + path() + ", " + pick({":he", ":a", ":bhe", "size_of", "s2"}) +
                   ")";
        case 4:
            return path() + " IN (" + operand() + ", " + scalar() + ")";
        case 5:
            return "NOT " + nested(depth);
        case 6:
            return path() + " BETWEEN " + scalar() + " AND size(:hello)";
        default:
            return nested(depth) + pick({" AND ", " OR "}) + nested(depth);
        }
    }

private:
    std::string nested(int depth) { return "(" + condition(depth - 1) + ")"; }
    std::string path()
    {
        return pick({"s", "n", "b", "t", "z", "ss", "ns", "bs", "l", "m", "m.y.z[0]", "l[2].k", "l[1]", "gone",
                     "m.gone", "l[7]", "n.x"});
    }
    std::string scalar() { return pick({":he", ":5", ":bhe", "ten", "gone2", "size(ss)", "size(n2)"}); }
    std::string operand()
    {
        return pick({":hello", ":5", ":bhello", ":t", ":null", ":abc", ":ns", ":bs", ":el", ":em", ":kq", "s2", "n2",
                     "ss2", "l[0]", "gone2", "size(m)", "size(l[1])"});
    }
    std::size_t below(std::size_t limit) { return random_() % limit; }
    std::string pick(std::initializer_list<const char *> texts) { return texts.begin()[below(texts.size())]; }

    std::mt19937 random_;
};

TEST(Evaluation, LawsOfLogic)
{
    constexpr std::uint32_t kSeed = 300;
    std::printf("seed %u\n", kSeed);
    Generator generator(kSeed);
    SyntaxCache cache(kCacheBytes);
    const JsonAttributes item(kItem);
    JsonPlaceholders placeholders(kPlaceholders);
    int accepted = 0;
    const auto outcome = [&](const std::string &text) -> std::optional<bool> {
        const auto condition = Condition::parse(cache, text, ExpressionKind::filter, *placeholders);
        return condition ? std::optional(condition->holds(*item)) : std::nullopt;
    };
    for (int i = 0; i < 3000; ++i) {
        const std::string a = generator.condition(3);
        const std::string b = generator.condition(2);
        const auto both = outcome("(" + a + ") AND (" + b + ")");
        const auto left = outcome(a);
        const auto right = outcome(b);
        if (!both || !left || !right) {
            continue; // equal operands
        }
        ++accepted;
        EXPECT_EQ(*both, *left && *right) << a << "   " << b;
        EXPECT_EQ(outcome("NOT (" + a + ")"), !*left) << a;
        EXPECT_EQ(outcome("NOT ((NOT (" + a + ")) OR (NOT (" + b + ")))"), *both) << a << "   " << b;
        EXPECT_EQ(outcome("(" + a + ") OR (" + b + ")"), *left || *right) << a << "   " << b;
    }
    EXPECT_GT(accepted, 2000);
}

TEST(Evaluation, NoItem)
{
    constexpr std::string_view kValues = R"({":v": {"S": "a"}})";
    EXPECT_TRUE(holds("attribute_not_exists(pk)", "{}", kValues));
    EXPECT_FALSE(holds("attribute_exists(pk)", "{}", kValues));
    EXPECT_TRUE(holds("pk <> :v", "{}", kValues));
    EXPECT_FALSE(holds("pk = :v", "{}", kValues));
    EXPECT_TRUE(holds(":v = :v", "{}", kValues));
    EXPECT_TRUE(holds("size(:v) = size(:v)", "{}", kValues));
}

TEST(Evaluation, ThreeHundredOperators)
{
    constexpr std::string_view kValues = R"({":v": {"S": "a"}})";
    std::string negations;
    for (int i = 0; i < 299; ++i) {
        negations += "NOT ";
    }
    EXPECT_FALSE(holds(negations + "a = :v", R"({"a": {"S": "a"}})", kValues));
    EXPECT_TRUE(holds(negations + "a = :v", R"({"a": {"S": "b"}})", kValues));

    std::string nested = "a=:v";
    for (int i = 0; i < 99; ++i) {
        nested = "NOT (" + nested + " OR a=:v)";
    }
    EXPECT_FALSE(holds(nested, R"({"a": {"S": "a"}})", kValues));
    std::string chain = "a<>:v";
    for (int i = 0; i < 148; ++i) {
        chain += " OR a<>:v";
    }
    EXPECT_FALSE(holds(chain, R"({"a": {"S": "a"}})", kValues));
    EXPECT_TRUE(holds(chain + " OR a=:v", R"({"a": {"S": "b"}})", kValues));
}

TEST(Evaluation, DeepPaths)
{
    std::string value = R"({"S": "here"})";
    std::string path;
    for (int i = 0; i < 31; ++i) {
        value = i % 2 == 0 ? R"({"L": [{"NULL": true}, )" + value + "]}" : R"({"M": {"k": )" + value + "}}";
        path = (i % 2 == 0 ? "[1]" : ".k") + path;
    }
    const std::string item = R"({"a": )" + value + "}";
    constexpr std::string_view kValues = R"({":v": {"S": "here"}})";
    EXPECT_TRUE(holds("a" + path + " = :v", item, kValues));
    EXPECT_FALSE(holds("a" + path.substr(0, path.size() - 3) + "[2] = :v", item, kValues));
    EXPECT_FALSE(holds("b" + path + " = :v", item, kValues));
}

TEST(Evaluation, SearchOfHostileTextIsLinear)
{
    // With a search that starts anew at each position this would take minutes.
    const std::string item = R"({"v": {"S": ")" + std::string(400'000, 'a') + R"("}})";
    const std::string values =
        R"({":v": {"S": ")" + std::string(200'000, 'a') + "b" + std::string(100'000, 'a') + R"("}})";
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(holds("contains(v, :v)", item, values));
    }
}

TEST(FindPath, ReturnsWhatStandsAtTheEnd)
{
    const JsonAttributes item(kItem);
    using Kind = PathElement::Kind;
    const PathElement path[] = {
        {Kind::attribute, "m"}, {Kind::attribute, "y"}, {Kind::attribute, "z"}, {Kind::index, "0"}};
    ASSERT_TRUE(find_path(*item, path));
    EXPECT_EQ(find_path(*item, path)->text(), "deep");
    EXPECT_EQ(find_path(*item, std::span(path).first(3))->type(), model::AttributeType::list);
    EXPECT_EQ(find_path(*item, std::span(path).first(1))->type(), model::AttributeType::map);
    EXPECT_FALSE(find_path(model::MapView(), path));
}

} // namespace
} // namespace basalt::expression
