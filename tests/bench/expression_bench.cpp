// Micro benchmarks of expressions: parsing with and without the cache, a usual condition from its text to its outcome,
// a filter over a page of items, and what a unit of a condition's cost() takes.
#include "codec/item_encoding.h"
#include "expression/condition.h"
#include "expression/syntax.h"
#include "expression/syntax_cache.h"
#include "expression/value_order.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::expression {
namespace {

constexpr std::string_view kCondition = "attribute_exists(pk) AND #s = :v AND version < :n";
constexpr std::string_view kFilter = "amount BETWEEN :lo AND :hi AND contains(tags, :t) OR begins_with(note, :p)";
constexpr std::size_t kCacheBytes = 8 << 20;

/// About 1 KB; ten attributes, those that the condition reads among them.
std::string item(std::int64_t number)
{
    std::string bytes;
    codec::ItemWriter writer(bytes);
    writer.begin_item();
    writer.name("pk");
    writer.string("customer#0001948573");
    writer.name("sk");
    writer.string("order#2024-05-17T09:21:44Z");
    writer.name("amount");
    writer.number(model::Decimal(number));
    writer.name("paid");
    writer.boolean(true);
    writer.name("tags");
    writer.begin_set(model::AttributeType::string_set);
    for (const std::string_view tag : {"express", "gift", "eu-west"}) {
        writer.member(tag);
    }
    writer.end();
    writer.name("address");
    writer.begin_map();
    writer.name("street");
    writer.string("Musterstrasse 12");
    writer.name("city");
    writer.string("Hamburg");
    writer.end();
    writer.name("note");
    writer.string(std::string(700, 'n'));
    writer.name("token");
    writer.binary(std::string(100, '\xAB'));
    writer.name("status");
    writer.string("shipped");
    writer.name("version");
    writer.number(model::Decimal(41));
    writer.end();
    return bytes;
}

/// A map of values as requests bring it.
std::string values(std::initializer_list<std::pair<std::string_view, std::string_view>> entries)
{
    std::string bytes;
    codec::ItemWriter writer(bytes);
    writer.begin_map();
    for (const auto &[name, text] : entries) {
        writer.name(name);
        if (const auto number = model::Decimal::parse(text)) {
            writer.number(*number);
        } else {
            writer.string(text);
        }
    }
    writer.end();
    return bytes;
}

void parse_uncached(benchmark::State &state)
{
    for (auto _ : state) {
        benchmark::DoNotOptimize(parse_syntax(kCondition, ExpressionKind::condition));
    }
}
BENCHMARK(parse_uncached);

void parse_cached(benchmark::State &state)
{
    SyntaxCache cache(kCacheBytes);
    const std::string text(kCondition);
    for (auto _ : state) {
        benchmark::DoNotOptimize(cache.parse(text, ExpressionKind::condition));
    }
}
BENCHMARK(parse_cached);

SyntaxCache &shared_cache()
{
    static SyntaxCache cache(kCacheBytes);
    return cache;
}

/// All threads ask for one text.
void parse_cached_shared(benchmark::State &state)
{
    const std::string text(kCondition);
    for (auto _ : state) {
        benchmark::DoNotOptimize(shared_cache().parse(text, ExpressionKind::condition));
    }
}
BENCHMARK(parse_cached_shared)->Threads(2);

/// All that a conditional write spends on its condition: placeholders, parsing, checks, evaluation, unused
/// placeholders.
void condition_on_item(benchmark::State &state)
{
    SyntaxCache cache(kCacheBytes);
    const std::string bytes = item(1849);
    const std::string sent = values({{":v", "shipped"}, {":n", "42"}});
    const NameSubstitution names[] = {{"#s", "status"}};
    const std::string text(kCondition);
    for (auto _ : state) {
        Placeholders placeholders(names, model::MapView(std::string_view(sent).substr(1)));
        const auto condition = Condition::parse(cache, text, ExpressionKind::condition, placeholders);
        if (!condition || !placeholders.check_all_used() || !condition->holds(model::ItemView(bytes).attributes())) {
            std::abort();
        }
    }
}
BENCHMARK(condition_on_item);

void evaluate_condition(benchmark::State &state)
{
    SyntaxCache cache(kCacheBytes);
    const std::string bytes = item(1849);
    const std::string sent = values({{":v", "shipped"}, {":n", "42"}});
    const NameSubstitution names[] = {{"#s", "status"}};
    Placeholders placeholders(names, model::MapView(std::string_view(sent).substr(1)));
    const auto condition = Condition::parse(cache, kCondition, ExpressionKind::condition, placeholders);
    for (auto _ : state) {
        benchmark::DoNotOptimize(condition->holds(model::ItemView(bytes).attributes()));
    }
}
BENCHMARK(evaluate_condition);

/// Items per second: a page of 1 MB has about 1,000 of them.
void filter_page(benchmark::State &state)
{
    constexpr std::int64_t kItems = 1000;
    SyntaxCache cache(kCacheBytes);
    std::vector<std::string> page;
    for (std::int64_t i = 0; i < kItems; ++i) {
        page.push_back(item(i));
    }
    const std::string sent = values({{":lo", "250"}, {":hi", "750"}, {":t", "eu-west"}, {":p", "other"}});
    Placeholders placeholders({}, model::MapView(std::string_view(sent).substr(1)));
    const auto filter = Condition::parse(cache, kFilter, ExpressionKind::filter, placeholders);
    for (auto _ : state) {
        int kept = 0;
        for (const std::string &bytes : page) {
            kept += filter->holds(model::ItemView(bytes).attributes()) ? 1 : 0;
        }
        if (kept != 501) {
            std::abort();
        }
    }
    state.SetItemsProcessed(state.iterations() * kItems);
}
BENCHMARK(filter_page);

/// An item of that many bytes, attributes of the smallest kind, or of about 100 bytes; "z" is the last.
std::string flat_item(std::size_t size_bytes, bool smallest)
{
    std::string bytes;
    codec::ItemWriter writer(bytes);
    writer.begin_item();
    for (int i = 0; bytes.size() < size_bytes; ++i) {
        writer.name(std::to_string(i));
        smallest ? writer.null() : writer.string(std::string(90, 'v'));
    }
    writer.name("z");
    writer.string("last");
    writer.end();
    return bytes;
}

/// What a unit of cost() takes at worst: each operand walks the whole item, or is compared. The first argument is the
/// item's size in bytes, the second whether its attributes are of the smallest kind.
void cost_units(benchmark::State &state)
{
    const auto size_bytes = static_cast<std::size_t>(state.range(0));
    const std::string bytes = flat_item(size_bytes, state.range(1) != 0);
    SyntaxCache cache(kCacheBytes);
    const std::string sent = values({{":v", "other"}});
    Placeholders placeholders({}, model::MapView(std::string_view(sent).substr(1)));
    std::string text = "z = :v";
    for (int i = 1; i < 100; ++i) {
        text.append(" OR z = :v");
    }
    const auto condition = Condition::parse(cache, text, ExpressionKind::condition, placeholders);
    for (auto _ : state) {
        benchmark::DoNotOptimize(condition->holds(model::ItemView(bytes).attributes()));
    }
    state.SetItemsProcessed(state.iterations() * condition->cost());
}
BENCHMARK(cost_units)->ArgsProduct({{64, 1024, 65'536, 400'000}, {0, 1}});

/// Units of operands that do not walk the item: one path, 100 values.
void cost_units_of_values(benchmark::State &state)
{
    const std::string bytes = flat_item(64, false);
    SyntaxCache cache(kCacheBytes);
    const std::string sent = values({{":v", "other"}});
    Placeholders placeholders({}, model::MapView(std::string_view(sent).substr(1)));
    std::string text = "z IN (:v";
    for (int i = 1; i < 100; ++i) {
        text.append(",:v");
    }
    const auto condition = Condition::parse(cache, text.append(")"), ExpressionKind::condition, placeholders);
    for (auto _ : state) {
        benchmark::DoNotOptimize(condition->holds(model::ItemView(bytes).attributes()));
    }
    state.SetItemsProcessed(state.iterations() * condition->cost());
}
BENCHMARK(cost_units_of_values);

/// An item with one set, and the same set in another order if `from` differs.
std::string set_item(std::string_view name, int from, int members)
{
    std::string bytes;
    codec::ItemWriter writer(bytes);
    writer.begin_item();
    writer.name(name);
    writer.begin_set(model::AttributeType::string_set);
    for (int i = 0; i < members; ++i) {
        writer.member(std::to_string(members + (from + i) % members));
    }
    writer.end();
    writer.end();
    return bytes;
}

/// Two sets of one size that are equal in another order: both are hashed and sorted.
void compare_equal_sets(benchmark::State &state)
{
    const auto members = static_cast<int>(state.range(0));
    const std::string bytes = set_item("s", 0, members);
    const std::string sent = set_item(":s", members / 3, members);
    SyntaxCache cache(kCacheBytes);
    Placeholders placeholders({}, model::ItemView(sent).attributes());
    const auto condition = Condition::parse(cache, "s = :s", ExpressionKind::condition, placeholders);
    for (auto _ : state) {
        if (!condition->holds(model::ItemView(bytes).attributes())) {
            std::abort();
        }
    }
    state.SetItemsProcessed(state.iterations() * members);
}
BENCHMARK(compare_equal_sets)->Arg(10)->Arg(100)->Arg(50'000);

void compare_integers(benchmark::State &state)
{
    const std::string left = "1849573";
    const std::string right = "1849582.25";
    for (auto _ : state) {
        benchmark::DoNotOptimize(left.data());
        benchmark::DoNotOptimize(compare_numbers(left, right));
    }
}
BENCHMARK(compare_integers);

} // namespace
} // namespace basalt::expression
