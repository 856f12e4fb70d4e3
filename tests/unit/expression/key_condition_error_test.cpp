// Key conditions that are refused, with the whole message.
#include "expression/key_condition.h"
#include "unit/expression/request_placeholders.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::expression {
namespace {

constexpr std::size_t kCacheBytes = 1 << 20;

struct Case {
    std::string text;
    const char *placeholders;
    std::string expected;
};

void expect_all(std::string_view prefix, std::initializer_list<Case> cases)
{
    for (const Case &c : cases) {
        RequestPlaceholders request(c.placeholders);
        SyntaxCache cache(kCacheBytes);
        const auto clauses = parse_key_condition(cache, c.text, *request);
        ASSERT_FALSE(clauses) << c.text;
        EXPECT_EQ(clauses.error().code, ErrorCode::validation);
        EXPECT_EQ(clauses.error().message, std::string(prefix) + c.expected) << c.text << "   " << c.placeholders;
    }
}

void expect_prefixed(std::initializer_list<Case> cases)
{
    expect_all("Invalid KeyConditionExpression: ", cases);
}

void expect_bare(std::initializer_list<Case> cases)
{
    expect_all("", cases);
}

std::string syntax(std::string_view token, std::string_view near)
{
    return std::string("Syntax error; token: \"").append(token).append("\", near: \"").append(near).append("\"");
}

TEST(KeyConditionError, Syntax)
{
    expect_prefixed({
        {"", "", "The expression can not be empty;"},
        {"a-b", "", syntax("-", "a-b")},
        {"pk = :a AND", ":a=S:a", syntax("<EOF>", "AND")},
        {"pk = ", "", syntax("<EOF>", "= ")},
        {"pk", "", syntax("<EOF>", "pk")},
        {":v", "", syntax("<EOF>", ":v")},
        {"pk = :a AND ()", ":a=S:a", syntax(")", "()")},
        {"things are not gonna be ok", "", syntax("are", "things are not")},
        {"a > 4", "", syntax("4", "> 4")},
        {"(size(a))[0] > a", "", syntax("[", ")[0")},
        {"CourseId-Index = :v", "", syntax("-", "CourseId-Index")},
        {"pk = :pk and begins_with(sk, G_M#)", "", syntax("#", "G_M#)")},
        {"pk = :pk AND __typename = :t", "", syntax("_", "AND __")},
        {"_pk = :v", "", syntax("_", "_pk")},
        {"pk == :v", "", syntax("=", "== :v")},
        {"pk = 'abc'", "", syntax("'", "= 'abc")},
        {"pk = :a, sk = :b", "", syntax(",", ":a, sk")},
        {"pk = :a && sk = :b", "", syntax("&", ":a &&")},
        {"pk = :v AND sk BETWEEN :a, :b", "", syntax(",", ":a, :b")},
        {"pk = :v AND sk BETWEEN :a", "", syntax("<EOF>", ":a")},
        {"set = :v", "", syntax("set", "set =")},
        {"or = :v", "", syntax("or", "or =")},
        {"pk = : v", "", syntax(":", "= : v")},
        {"# = :v", "", syntax("#", "# =")},
        {"pk\xE2\x82\xAC = :v", "", syntax("\xE2\x82\xAC", "pk\xE2\x82\xAC =")},
        {"pk = :v \xE2\x82", "", syntax("\xE2\x82", ":v \xE2\x82")},
    });
}

TEST(KeyConditionError, RedundantParentheses)
{
    const std::string redundant = "The expression has redundant parentheses;";
    expect_prefixed({
        {"((pk = :v))", ":v=S:a", redundant},
        {"((pk = :v)) AND ((sk = :v))", ":v=S:a", redundant},
        {"((pk)) = :v", ":v=S:a", redundant},
        {"pk = ((:v))", ":v=S:a", redundant},
        {"begins_with(((pk)), :v)", ":v=S:a", redundant},
        {"((a = :v)) AND nofunction(x)", "", redundant},
    });
}

TEST(KeyConditionError, Functions)
{
    const std::string unknown = "Invalid function name; function: ";
    const std::string misused = "The function is not allowed to be used this way in an expression; function: ";
    expect_prefixed({
        {"pk = :p AND BEGINS_WITH(sk, :s)", ":p=S:a :s=S:b", unknown + "BEGINS_WITH"},
        {"pk = :p AND beginsWith(sk, :s)", ":p=S:a :s=S:b", unknown + "beginsWith"},
        {"name = :p AND starts(sk, :s)", "", unknown + "starts"},
        {"size(pk)", "", misused + "size"},
        {"pk = begins_with(sk, :s)", "", misused + "begins_with"},
        {"pk = :p AND begins_with(sk, :s) = :t", "", misused + "begins_with"},
        {"begins_with(pk)", "",
         "Incorrect number of operands for operator or function; operator or function: "
         "begins_with, number of operands: 1"},
        {"begins_with(pk, :v, :v)", ":v=S:a",
         "Incorrect number of operands for operator or function; operator or function: "
         "begins_with, number of operands: 3"},
    });
}

TEST(KeyConditionError, NamesAndValues)
{
    const std::string reserved = "Attribute name is a reserved keyword; reserved keyword: ";
    const std::string no_name =
        "An expression attribute name used in the document path is not defined; attribute name: ";
    const std::string no_value = "An expression attribute value used in expression is not defined; attribute value: ";
    expect_prefixed({
        {"hash = :v", ":v=S:a", reserved + "hash"},
        {"pk = :v AND TimeStamp > :w", "", reserved + "TimeStamp"},
        {"#pk = :v AND name = :w OR status = :x", "", reserved + "name"},
        {"a.data = :v", ":v=S:a", reserved + "data"},
        {"#pk = :v", ":v=S:a", no_name + "#pk"},
        {"#PK = :v", "#pk=a :v=S:a", no_name + "#PK"},
        {"pk = :v", "", no_value + ":v"},
        {"pk = :V", ":v=S:a", no_value + ":V"},
        {"#a = :a AND #b = :b", "#b=x :b=S:a", no_name + "#a"},
        {"#a = :a AND #b = :b", "#a=x :b=S:a", no_value + ":a"},
        {"#a = :a AND #b = :b", "#a=x :a=S:a", no_name + "#b"},
        {"pk = :p AND sk BETWEEN :lo AND :hi", ":p=S:a :lo=S:a", no_value + ":hi"},
        {"pk = :" + std::string(300, 'v'), "", no_value + ":" + std::string(300, 'v')},
        {"a <> :v", "", no_value + ":v"},
        {"pk = pk", "",
         "The first operand must be distinct from the remaining operands for this operator or "
         "function; operator: =, first operand: [pk]"},
    });
}

TEST(KeyConditionError, OperandTypes)
{
    const std::string type = "Incorrect operand type for operator or function; operator or function: ";
    expect_prefixed({
        {"pk = :p AND begins_with(sk, :v)", ":p=S:q :v=N:1", type + "begins_with, operand type: N"},
        {"pk = :p AND begins_with(sk, :v)", ":p=S:q :v=BOOL", type + "begins_with, operand type: BOOL"},
        {"begins_with(sk, :v)", ":v=L", type + "begins_with, operand type: L"},
        {"begins_with(:v, sk)", ":v=M", type + "begins_with, operand type: M"},
        {"pk = :p AND sk < :v", ":p=S:q :v=BOOL", type + "<, operand type: BOOL"},
        {"pk = :p AND :v >= sk", ":p=S:q :v=BOOL", type + ">=, operand type: BOOL"},
        {"pk <= :v", ":v=NULL", type + "<=, operand type: NULL"},
        {"pk > :v", ":v=BS", type + ">, operand type: BS"},
        {"sk BETWEEN :a AND :b", ":a=BOOL :b=BOOL", type + "BETWEEN, operand type: BOOL"},
        {"sk BETWEEN :a AND :b", ":a=S:a :b=SS", type + "BETWEEN, operand type: SS"},
        {"attribute_type(a, b)", "", type + "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
        {"attribute_type(a, :a)", ":a=N:1", type + "attribute_type, operand type: N"},
        {"sk > :v OR pk = :u", ":v=L", type + ">, operand type: L"},
    });
}

TEST(KeyConditionError, BetweenBounds)
{
    const std::string same = "The BETWEEN operator requires same data type for lower and upper bounds; lower bound "
                             "operand: AttributeValue: ";
    const std::string order = "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
                              "lower bound operand: AttributeValue: ";
    const std::string upper = ", upper bound operand: AttributeValue: ";
    expect_prefixed({
        {"a between :b and :a", ":a=S:a :b=N:1", same + "{N:1}" + upper + "{S:a}"},
        {"a between :b and :a", ":a=S:a :b=S:b", order + "{S:b}" + upper + "{S:a}"},
        {"a between :a and :b", ":a=N:10 :b=N:9", order + "{N:10}" + upper + "{N:9}"},
        {"a between :a and :b", ":a=N:-1 :b=N:-1.5", order + "{N:-1}" + upper + "{N:-1.5}"},
        {"a between :a and :b", ":a=N:1e3 :b=N:999", order + "{N:1000}" + upper + "{N:999}"},
        {"a between :a and :b", ":a=S:aa :b=S:a", order + "{S:aa}" + upper + "{S:a}"},
        {"a between :a and :b", ":a=S:a :b=S:Z", order + "{S:a}" + upper + "{S:Z}"},
        {"a between :a and :b", ":a=S:a :b=S:", order + "{S:a}" + upper + "{S:}"},
        {"a between :a and :b", ":a=S:\xC3\xBC :b=S:z", order + "{S:\xC3\xBC}" + upper + "{S:z}"},
        {"a between :a and :b", ":a=B:\x80 :b=B:abc",
         order + "{B:java.nio.HeapByteBuffer[pos=0 lim=1 cap=1]}" + upper +
             "{B:java.nio.HeapByteBuffer[pos=0 lim=3 cap=3]}"},
        {"pk = :a and sk between :a and :b", ":a=S:b :b=S:a", order + "{S:b}" + upper + "{S:a}"},
    });
}

TEST(KeyConditionError, Operators)
{
    const std::string op = "Invalid operator used in KeyConditionExpression: ";
    expect_bare({
        {"a > b and size(b) > c or a > c", "", op + "OR"},
        {"pk = :v OR pk = :w", ":v=S:a :w=S:b", op + "OR"},
        {"pk = :v AND (sk = :v OR sk = :w)", ":v=S:a :w=S:b", op + "OR"},
        {"a in (b, size(c), d)", "", op + "IN"},
        {"pk IN (:v)", ":v=S:a", op + "IN"},
        {"pk = :v AND sk in (:v, :v)", ":v=S:a", op + "IN"},
        {"attribute_exists(a)", "", op + "attribute_exists"},
        {"attribute_not_exists(a)", "", op + "attribute_not_exists"},
        {"attribute_type(a, :a)", ":a=S:S", op + "attribute_type"},
        {"contains(a.d, b)", "", op + "contains"},
        {"pk = :v AND contains(sk, :v)", ":v=S:a", op + "contains"},
        {"not a > b", "", op + "NOT"},
        {"pk = :v AND NOT sk = :v", ":v=S:a", op + "NOT"},
        {"NOT (pk = :v OR pk = :v)", ":v=S:a", op + "NOT"},
        {"a <> b", "", op + "<>"},
        {"pk = :v AND :v <> sk", ":v=S:a", op + "<>"},
    });
}

TEST(KeyConditionError, Shape)
{
    const std::string condition = "Invalid condition in KeyConditionExpression: ";
    const std::string first = " operator must have the key attribute as its first operand";
    const std::string nested_operation = "KeyConditionExpressions cannot contain nested operations";
    const std::string nested_attribute = "KeyConditionExpressions cannot have conditions on nested attributes";
    const std::string multiple = condition + "Multiple attribute names used in one condition";
    const std::string none = condition + "No key attribute specified";
    expect_all("", {
                       {":a between size(b) and size(a) and b > :b", ":a=S:1 :b=S:1", condition + "BETWEEN" + first},
                       {":a between :a and sk", ":a=S:1", condition + "BETWEEN" + first},
                       {"size(a) between :n and :n", ":n=N:1", condition + "BETWEEN" + first},
                       {"begins_with(:a, b) and a > :b", ":a=S:1 :b=S:1", condition + "begins_with" + first},
                       {"begins_with(:a, :b)", ":a=S:1 :b=S:1", condition + "begins_with" + first},
                       {"size(b) > a AND a.b > b AND b > c", "", nested_operation},
                       {"a > size(b.d)", "", nested_operation},
                       {"a between size(b) and size(a)", "", nested_operation},
                       {"size(a) = :n", ":n=N:1", nested_operation},
                       {":n = size(a)", ":n=N:1", nested_operation},
                       {"b > a.b", "", multiple},
                       {"b between c[1] and d", "", multiple},
                       {"a between b and size(a)", "", multiple},
                       {"begins_with(a, b)", "", multiple},
                       {"#a = b", "#a=c", multiple},
                       {"part=some_value", "", multiple},
                       {"b.d > a AND c.d > e.f", "", nested_attribute},
                       {"a.d > c", "", nested_attribute},
                       {"b[0] > a", "", nested_attribute},
                       {"a.b = :v", ":v=S:a", nested_attribute},
                       {":v = #a.#b", "#a=x #b=y :v=S:a", nested_attribute},
                       {"begins_with(a[3], :v)", ":v=S:a", nested_attribute},
                       {":b > :a AND a < :b", ":a=N:1 :b=N:1", none},
                       {":a > b AND :a < :b", ":a=N:1 :b=N:1", none},
                       {":a = :a", ":a=N:1", none},
                   });
}

TEST(KeyConditionError, Repetition)
{
    const std::string once = "KeyConditionExpressions must only contain one condition per key";
    const std::string count = "Conditions can be of length 1 or 2 only";
    expect_all("",
               {
                   {"b > :a AND b < :a and c = :a and d = :a", ":a=N:1", once},
                   {"(a > :a and b > :a) and (b > :a and c > :a)", ":a=N:1", once},
                   {"pk = :a AND #p = :a", "#p=pk :a=S:a", once},
                   {"pk = :a AND :a = pk", ":a=S:a", once},
                   {"pk = :a AND begins_with(pk, :a)", ":a=S:a", once},
                   {"pk = :a AND sk > :a AND sk BETWEEN :a AND :a", ":a=S:a", once},
                   {"a=:a AND b=:a AND c=:a AND d=:a AND e=:a AND f=:a AND g=:a AND h=:a AND i=:a", ":a=N:1", count},
                   {"a=:a AND b=:a AND c=:a AND d=:a AND e=:a AND f=:a AND g=:a AND h=:a AND h=:a", ":a=N:1", once},
               });
}

TEST(KeyConditionError, TheLeftmostFaultIsReported)
{
    expect_bare({
        {"a.b = :v AND c <> :v", ":v=S:a", "KeyConditionExpressions cannot have conditions on nested attributes"},
        {"c <> :v AND a.b = :v", ":v=S:a", "Invalid operator used in KeyConditionExpression: <>"},
        {"pk = :v AND pk = :v AND sk <> :v", ":v=S:a",
         "KeyConditionExpressions must only contain one condition per key"},
        {"a = :v AND :v = :v AND (b = :v OR c = :v)", ":v=S:a",
         "Invalid condition in KeyConditionExpression: No key attribute specified"},
    });
}

TEST(KeyConditionError, ConditionFaultsComeBeforeKeyFaults)
{
    expect_prefixed({
        {"a <> :v OR begins_with(b, :n)", ":v=S:a :n=N:1",
         "Incorrect operand type for operator or function; operator or function: begins_with, "
         "operand type: N"},
        {"a.b = :v AND name = :v", ":v=S:a", "Attribute name is a reserved keyword; reserved keyword: name"},
        {"NOT a = :v AND b = :w", ":v=S:a",
         "An expression attribute value used in expression is not defined; attribute value: :w"},
    });
}

TEST(KeyConditionError, Limits)
{
    std::string operators = "a=:v";
    for (int i = 0; i < 150; ++i) {
        operators += " AND a=:v";
    }
    std::string deep_path = "a";
    for (int i = 0; i < 32; ++i) {
        deep_path += ".b";
    }
    expect_prefixed({
        {"pk = :v" + std::string(4090, ' '), ":v=S:a",
         "Expression size has exceeded the maximum allowed size; expression size: 4097"},
        {operators, ":v=S:a", "The expression contains too many operators; operator count: 301"},
        {deep_path + " = :v", ":v=S:a", "The document path has too many nesting levels; nesting levels: 33"},
        {"a[99999999999999] = :v", ":v=S:a", "List index is not within the allowable range; index: [99999999999999]"},
        {std::string(4096, '('), "", "The expression has redundant parentheses;"},
        {std::string(100'000, '('), "",
         "Expression size has exceeded the maximum allowed size; expression size: 100000"},
    });
    RequestPlaceholders request(":v=S:a");
    SyntaxCache cache(kCacheBytes);
    EXPECT_TRUE(parse_key_condition(cache, "pk = :v" + std::string(4089, ' '), *request));
    const std::string longest = std::string(254, 'v');
    RequestPlaceholders long_names("#" + longest + "=pk :" + longest + "=S:a");
    EXPECT_TRUE(parse_key_condition(cache, "#" + longest + " = :" + longest, *long_names));
}

} // namespace
} // namespace basalt::expression
