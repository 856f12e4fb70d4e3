// What a condition may say, by the order in which faults are reported.
#include "expression/condition.h"
#include "unit/expression/request_placeholders.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::expression {
namespace {

constexpr std::size_t kCacheBytes = 1 << 20;

struct Case {
    const char *text;
    const char *placeholders;
    std::string expected = {}; // without the prefix; empty: accepted
};

void expect_all(std::initializer_list<Case> cases)
{
    for (const Case &c : cases) {
        RequestPlaceholders request(c.placeholders);
        SyntaxCache cache(kCacheBytes);
        const std::string expected = c.expected.empty() ? "" : "Invalid ConditionExpression: " + c.expected;
        for (const char *run : {"parsed", "from the cache"}) {
            const auto condition = Condition::parse(cache, c.text, ExpressionKind::condition, *request);
            EXPECT_EQ(condition ? "" : condition.error().message, expected)
                << c.text << "   " << c.placeholders << "   " << run;
        }
    }
}

std::string operands(std::string_view name, std::string_view type)
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

std::string equal(std::string_view name, std::string_view path)
{
    return std::string("The first operand must be distinct from the remaining operands for this operator or function; "
                       "operator: ")
        .append(name)
        .append(", first operand: ")
        .append(path);
}

const std::string kMisused = "The function is not allowed to be used this way in an expression; function: ";
const std::string kNoName = "An expression attribute name used in the document path is not defined; attribute name: ";
const std::string kNoValue = "An expression attribute value used in expression is not defined; attribute value: ";

TEST(Condition, Accepted)
{
    expect_all({
        {"a = :v", ":v=BOOL"},
        {"a <> :v AND b = :w", ":v=L :w=M"},
        {"a < :n AND a <= :s AND a > :b", ":n=N:1 :s=S:x :b=B:x"},
        {":v = :v", ":v=S:a"},
        {"#a.b[3] = a.#c[3]", "#a=x #c=y"},
        {"attribute_exists(a) OR attribute_not_exists(b.c)", ""},
        {"attribute_type(a, :t)", ":t=S:SS"},
        {"begins_with(a, :s) AND begins_with(a, :b) AND begins_with(:s, a)", ":s=S:x :b=B:x"},
        {"contains(a, :v) AND contains(:s, b)", ":v=NULL :s=S:x"},
        {"size(a) > :n AND size(:s) < :n AND size(:ss) = b AND size(:m) = size(:l)", ":n=N:1 :s=S:x :ss=SS :m=M :l=L"},
        {"a IN (b, :v, size(c))", ":v=L"},
        {"a between :lo and b and c between size(d) and :n", ":lo=S:a :n=N:1"},
        {"pk_1 = :v AND metadata = :v AND id = :v", ":v=S:a"},
    });
}

TEST(Condition, FunctionNamesComeBeforeAllElse)
{
    expect_all({
        {"a=a and whatever((:things)) > a", "", "Invalid function name; function: whatever"},
        {"attRIbute_exIsts((views), #a)", "", "Invalid function name; function: attRIbute_exIsts"},
        {"size(a) AND Size(b) > c", "", "Invalid function name; function: Size"},
        {"outer(inner(a))", "", "Invalid function name; function: inner"},
    });
}

TEST(Condition, MisusedFunctions)
{
    expect_all({
        {"a=a and attribute_exists((views), (#a)) > b", "", kMisused + "attribute_exists"},
        {"attribute_not_exists(things) > b", "", kMisused + "attribute_not_exists"},
        {"attribute_type(things, :a) > b", "", kMisused + "attribute_type"},
        {"begins_with(things, a) > b", "", kMisused + "begins_with"},
        {"contains(:things, c) > b", "", kMisused + "contains"},
        {"size(contains(a, b)) > a", "", kMisused + "contains"},
        {"size(things)", "", kMisused + "size"},
        {"NOT size(things)", "", kMisused + "size"},
        {"a = b OR size(things)", "", kMisused + "size"},
        {"a between b and attribute_exists(things)", "", kMisused + "attribute_exists"},
        {"a in (b, attribute_exists(things))", "", kMisused + "attribute_exists"},
        {"a = list_append(b, c)", "", "The function is not allowed in a condition expression; function: list_append"},
        {"if_not_exists(a, b)", "", "The function is not allowed in a condition expression; function: if_not_exists"},
    });
}

TEST(Condition, ReservedWordsAndIndexes)
{
    const std::string reserved = "Attribute name is a reserved keyword; reserved keyword: ";
    expect_all({
        {"attribute_exists(views, #a)", "", reserved + "views"},
        {":a < abOrT", "", reserved + "abOrT"},
        {"a.Name[0] = #undefined", "", reserved + "Name"},
        {"size = :v", "", reserved + "size"},
        {"size(size) = :v", "", reserved + "size"},
        {"a[99999999999999] = :v", "", "List index is not within the allowable range; index: [99999999999999]"},
        {"a[2147483648] = :v", "", "List index is not within the allowable range; index: [2147483648]"},
        {"a[2147483647] = :v", ":v=S:a"},
        {"#name = :v", "#name=NAME :v=S:a"},
    });
}

TEST(Condition, UndefinedPlaceholders)
{
    expect_all({
        {"attribute_exists(#Pictures.RearView, :a) and a=a", "", kNoName + "#Pictures"},
        {"begins_with(Pictures.#RearView)", "", kNoName + "#RearView"},
        {"(#P between :lo and :hi) and (#PC in (:cat1, :cat2))", "", kNoName + "#P"},
        {"#4g > a", "", kNoName + "#4g"},
        {"#_ > a", "", kNoName + "#_"},
        {"(a)between(b.c[45].#d)and(:a)", "", kNoName + "#d"},
        {"begins_with(:hello, #a, #b)", "", kNoValue + ":hello"},
        {":a < :b", "", kNoValue + ":a"},
        {":_ > a", "", kNoValue + ":_"},
        {"#a = :A", "#a=x :a=S:a", kNoValue + ":A"},
    });
}

TEST(Condition, SubConditionsAreCheckedFromLeftToRight)
{
    expect_all({
        {"contains(a) AND #x = b", "", count("contains", 1)},
        {"a = :v AND contains(a)", "", kNoValue + ":v"},
        {"a = a AND begins_with(b, :n)", ":n=N:1", equal("=", "[a]")},
        {"begins_with(b, :n) AND a = a", ":n=N:1", operands("begins_with", "N")},
        {"NOT (contains(a) OR a = a) AND :x = b", "", count("contains", 1)},
    });
}

TEST(Condition, OperandCounts)
{
    std::string hundred = "a IN (:v";
    for (int i = 0; i < 99; ++i) {
        hundred += ",:v";
    }
    expect_all({
        {"attribute_exists(things, a) and a=a", "", count("attribute_exists", 2)},
        {"attribute_not_exists(things, b)", "", count("attribute_not_exists", 2)},
        {"attribute_type(things)", "", count("attribute_type", 1)},
        {"begins_with(things)", "", count("begins_with", 1)},
        {"begins_with(things, size(a), b)", "", count("begins_with", 3)},
        {"contains(things)", "", count("contains", 1)},
        {"size(things, a) > b", "", count("size", 2)},
        {(hundred + ")").c_str(), ":v=S:a"},
        {(hundred + ",:v)").c_str(), ":v=S:a",
         "The IN operator is provided with too many operands; number of operands: 101"},
    });
}

TEST(Condition, EqualOperands)
{
    expect_all({
        {"a = a AND #a = b AND :views > a", "#a=a", equal("=", "[a]")},
        {"#a <> a", "#a=a", equal("<>", "[a]")},
        {"a > #a", "#a=a", equal(">", "[a]")},
        {"((a=a) OR (a=a))", "", equal("=", "[a]")},
        {"contains(ab.bc[1].a, ab.bc[1].#a)", "#a=a", equal("contains", "[ab, bc, [1], a]")},
        {"attribute_type(ab.bc[1].#a, ab.bc[1].a)", "#a=a", equal("attribute_type", "[ab, bc, [1], a]")},
        {"begins_with(ab.bc[1].a, ab.bc[1].#a)", "#a=a", equal("begins_with", "[ab, bc, [1], a]")},
        {"a BETWEEN b AND a", "", equal("BETWEEN", "[a]")},
        {"a IN (b, c, a)", "", equal("IN", "[a]")},
        {"a BETWEEN b AND b", ""},
        {"a[1] = a[2]", ""},
        {"a = a.a", ""},
        {"#i = a[1]", "#i=a[1]"},
    });
}

TEST(Condition, OperandTypes)
{
    const std::string any = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}";
    const std::string path = "Operator or function requires a document path; operator or function: ";
    const std::string type_names = ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}";
    expect_all({
        {"attribute_type(ab.bc[1].a, b)", "", operands("attribute_type", any)},
        {"attribute_type(a, size(b)) and a=:a", "", operands("attribute_type", "N")},
        {"attribute_type(a, :a)", ":a=N:1", operands("attribute_type", "N")},
        {"attribute_type(a, :a)", ":a=SS", operands("attribute_type", "SS")},
        {"attribute_type(a, :a)", ":a=S:1", "Invalid attribute type name found; type: 1" + type_names},
        {"attribute_type(a, :a)", ":a=S:s", "Invalid attribute type name found; type: s" + type_names},
        {"begins_with(a, size(b)) and a=:a", "", operands("begins_with", "N")},
        {"begins_with(a, :a)", ":a=NULL", operands("begins_with", "NULL")},
        {"begins_with(:a, a)", ":a=BS", operands("begins_with", "BS")},
        {"size(size(a)) > :a", ":a=N:1", operands("size", "N")},
        {"attribute_not_exists(size(:a))", ":a=N:1", operands("size", "N")},
        {"attribute_not_exists(size(:a))", ":a=S:1", path + "attribute_not_exists"},
        {"attribute_exists(:a) and a=a", ":a=S:1", path + "attribute_exists"},
        {"size(:a) > a", ":a=BOOL", operands("size", "BOOL")},
        {"size(:a) > a", ":a=NULL", operands("size", "NULL")},
        {"a < :a", ":a=BOOL", operands("<", "BOOL")},
        {":a >= a", ":a=L", operands(">=", "L")},
        {"a <= :a", ":a=M", operands("<=", "M")},
        {"a > :a", ":a=NS", operands(">", "NS")},
        {":a BETWEEN b AND c", ":a=BOOL", operands("BETWEEN", "BOOL")},
        {"a BETWEEN :a AND :b", ":a=S:a :b=NULL", operands("BETWEEN", "NULL")},
    });
}

TEST(Condition, PathDepth)
{
    std::string path = "a";
    for (int i = 0; i < 31; ++i) {
        path += ".a";
    }
    expect_all({
        {("attribute_exists(" + path + ")").c_str(), ""},
        {("attribute_exists(" + path + "[0])").c_str(), "",
         "The document path has too many nesting levels; nesting levels: 33"},
        {(path + ".a.#b = :v").c_str(), "", kNoName + "#b"},
    });
}

TEST(Condition, MarksPlaceholdersAsUsed)
{
    RequestPlaceholders request("#a=x #b=y :v=S:a :w=S:b");
    SyntaxCache cache(kCacheBytes);
    ASSERT_TRUE(Condition::parse(cache, "a.#a = :v", ExpressionKind::filter, *request));
    EXPECT_EQ(request->check_all_used().error().message,
              "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}");
    ASSERT_TRUE(Condition::parse(cache, "#b IN (:v, :w)", ExpressionKind::filter, *request));
    EXPECT_TRUE(request->check_all_used());
}

TEST(Condition, SubstitutesNamesLiterally)
{
    RequestPlaceholders request("#a=x.y[0] :v=S:a");
    SyntaxCache cache(kCacheBytes);
    const auto condition = Condition::parse(cache, "#a.b = :v", ExpressionKind::filter, *request);
    ASSERT_TRUE(condition);
    const auto elements = condition->tree().elements();
    ASSERT_EQ(elements.size(), 2U);
    EXPECT_EQ(elements[0].text, "x.y[0]");
    EXPECT_EQ(elements[0].kind, PathElement::Kind::attribute);
    EXPECT_EQ(elements[1].text, "b");
}

TEST(Condition, NamesTheExpressionItStandsFor)
{
    for (const auto &[kind, member] : {std::pair{ExpressionKind::condition, "ConditionExpression"},
                                       {ExpressionKind::filter, "FilterExpression"},
                                       {ExpressionKind::key_condition, "KeyConditionExpression"}}) {
        RequestPlaceholders none("");
        SyntaxCache cache(kCacheBytes);
        const auto undefined = Condition::parse(cache, "a = :v", kind, *none);
        ASSERT_FALSE(undefined);
        EXPECT_EQ(undefined.error().code, ErrorCode::validation);
        EXPECT_EQ(undefined.error().message, std::string("Invalid ") + member + ": " + kNoValue + ":v");
        const auto broken = Condition::parse(cache, "a =", kind, *none);
        ASSERT_FALSE(broken);
        EXPECT_TRUE(broken.error().message.starts_with(std::string("Invalid ") + member + ": Syntax error;"));
    }
}

TEST(Condition, VisitsTheAttributesOfItsPaths)
{
    RequestPlaceholders request("#a=x.y :v=S:a");
    SyntaxCache cache(kCacheBytes);
    const auto condition =
        Condition::parse(cache, "#a.b = :v OR NOT (size(c[1].d) > e AND attribute_exists(#a)) OR e IN (f, :v)",
                         ExpressionKind::filter, *request);
    ASSERT_TRUE(condition);
    std::vector<std::string> visited;
    condition->for_each_attribute([&](std::string_view name) { visited.emplace_back(name); });
    EXPECT_EQ(visited, (std::vector<std::string>{"x.y", "c", "e", "x.y", "e", "f"}));
    for (const auto &[name, expected] :
         {std::pair{"x.y", true}, {"c", true}, {"e", false}, {"f", false}, {"b", false}, {"x", false}}) {
        EXPECT_EQ(condition->reaches_into(name), expected) << name;
    }
}

} // namespace
} // namespace basalt::expression
