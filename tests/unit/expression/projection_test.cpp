// Faults of projection expressions by their order, and the parts that projections take out of items.
#include "codec/item_encoding.h"
#include "expression/projection.h"
#include "unit/expression/item_notation.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::expression {
namespace {

std::string appended(const Projection &projection, std::string_view item)
{
    const std::string bytes = item_from(item);
    std::string out = "before";
    projection.append_item(model::ItemView(bytes).attributes(), out);
    EXPECT_EQ(out.substr(0, 6), "before");
    out.erase(0, 6);
    EXPECT_TRUE(codec::is_valid_item(out)) << item;
    return notation_of(model::ItemView(out).attributes());
}

/// The projected item or the message without its prefix.
std::string projected(std::string_view text, std::string_view item, std::string_view names = "")
{
    SyntaxCache cache(1 << 20);
    NotedPlaceholders request("{}", names);
    const auto projection = Projection::parse(cache, text, *request);
    if (!projection) {
        EXPECT_EQ(projection.error().code, ErrorCode::validation);
        const std::string prefix = "Invalid ProjectionExpression: ";
        EXPECT_TRUE(projection.error().message.starts_with(prefix)) << projection.error().message;
        return projection.error().message.substr(prefix.size());
    }
    EXPECT_TRUE(request->check_all_used());
    return appended(*projection, item);
}

struct Case {
    std::string text;
    std::string expected;
};

std::string pair(std::string_view what, std::string_view one, std::string_view two)
{
    return std::string("Two document paths ")
        .append(what)
        .append(" with each other; must remove or rewrite one of these paths; path one: ")
        .append(one)
        .append(", path two: ")
        .append(two);
}

TEST(Projection, TakesWhatThePathsName)
{
    constexpr std::string_view kItem =
        "{a: 1, b: {a: 'x', b: SS('y'), c: null}, c: ['p', ['q', 'r'], {d: true, e: 2}], "
        "d: b'z', e: {}, f: []}";
    const Case cases[] = {
        {"a", "{a: 1}"},
        {"d, a", "{a: 1, d: b'z'}"},
        {"b, c[0]", "{b: {a: 'x', b: SS('y'), c: null}, c: ['p']}"},
        {"b.c, b.a", "{b: {a: 'x', c: null}}"},
        {"c[2], c[0]", "{c: ['p', {d: true, e: 2}]}"},
        {"c[2].e, c[1][1]", "{c: [['r'], {e: 2}]}"},
        {"c[1][1], c[1][0], b.b", "{b: {b: SS('y')}, c: [['q', 'r']]}"},
        {"c[3], c[99999999]", "{}"},
        {"x, b.x, a.b, c[0].x, c[1].x, c[2][0]", "{}"},
        {"a[0], b[0], c.d", "{}"},
        {"c[2].x, c[2].d", "{c: [{d: true}]}"},
        {"c[2].x.y, c[1][7]", "{}"},
        {"e, f", "{e: {}, f: []}"},
        {"e.a, f[0]", "{}"},
    };
    for (const auto &[text, expected] : cases) {
        EXPECT_EQ(projected(text, kItem), expected) << text;
    }
    EXPECT_EQ(projected("#x.#y[0], #z", "{p.q: {#: [1, 2]}, [1]: 3, r: 4}", "#x=p.q #y=# #z=[1]"),
              "{p.q: {#: [1]}, [1]: 3}");
    EXPECT_EQ(projected("a", "{}"), "{}");
}

TEST(Projection, FaultsByTheirOrder)
{
    const Case cases[] = {
        {"a,b,a,#u", "An expression attribute name used in the document path is not defined; attribute name: #u"},
        {"b[1], b.a, #a.b, a", pair("overlap", "[a, b]", "[a]")},
        {"a, #a[1]", pair("overlap", "[a]", "[a, [1]]")},
        {"b, a, c, a, b", pair("overlap", "[a]", "[a]")},
        {"c.d, c.e, c", pair("overlap", "[c, d]", "[c]")},
        {"a.b, #a[1], #b", pair("conflict", "[a, b]", "[a, [1]]")},
        {"a.b[1], #a[1], #b", pair("conflict", "[a, b, [1]]", "[a, [1]]")},
        {"a[3].b, #a.#b.b", pair("conflict", "[a, [3], b]", "[a, [3], b]")},
        {"a[1], b.c, a[2], b[0], a.c", pair("conflict", "[b, c]", "[b, [0]]")},
        {"a.b[10], a.b[9], a.b[1].c, a.b[1][0]", pair("conflict", "[a, b, [1], c]", "[a, b, [1], [0]]")},
        {"a[0], #a[1], #b", ""},
    };
    for (const auto &[text, expected] : cases) {
        EXPECT_EQ(projected(text, "{}", "#a=a #b=[3]").substr(0, expected.size()), expected) << text;
    }
    std::string deep = "a";
    for (int i = 0; i < 31; ++i) {
        deep += ".a";
    }
    EXPECT_EQ(projected(deep, "{}"), "{}");
    EXPECT_EQ(projected(deep + "[0]", "{}"), "The document path has too many nesting levels; nesting levels: 33");
}

TEST(Projection, AttributesEachOnceInOrder)
{
    SyntaxCache cache(1 << 20);
    NotedPlaceholders request("{}", "#z=z");
    const auto projection = Projection::parse(cache, "#z.b, c, b[1], #z.a, b[0]", *request);
    ASSERT_TRUE(projection);
    EXPECT_EQ(projection->attributes(), (std::vector<std::string_view>{"z", "c", "b"}));
    EXPECT_TRUE(projection->reaches_into("z"));
    EXPECT_TRUE(projection->reaches_into("b"));
    EXPECT_FALSE(projection->reaches_into("c"));
    EXPECT_FALSE(projection->reaches_into("x"));
}

TEST(Projection, OfAttributes)
{
    const std::string_view names[] = {"c", "a.b", "c", "x"};
    const Projection projection = Projection::of_attributes(names);
    EXPECT_EQ(projection.attributes(), (std::vector<std::string_view>{"c", "a.b", "x"}));
    EXPECT_EQ(appended(projection, "{a: {b: 1}, a.b: [1], b: 2, c: 3}"), "{a.b: [1], c: 3}");
    EXPECT_EQ(appended(Projection::of_attributes({}), "{a: 1}"), "{}");
}

TEST(Projection, ManyPathsAndAttributes)
{
    std::string text = "a0000";
    std::string item = "{z: 0";
    for (int i = 1; i < 680; ++i) {
        text.append(",a").append(std::to_string(1000 + i));
    }
    for (int i = 0; i < 20'000; ++i) {
        item.append(", a").append(std::to_string(i)).append(": ").append(std::to_string(i));
    }
    const std::string result = projected(text, item + "}");
    EXPECT_TRUE(result.starts_with("{a1001: 1001, a1002: 1002,")) << result.substr(0, 50);
    EXPECT_TRUE(result.ends_with(", a1679: 1679}"));
}

} // namespace
} // namespace basalt::expression
