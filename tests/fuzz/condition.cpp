// Conditions and filters: refused with a text, or true or false of an item, the same each time; NOT turns them round.
#include "expression/condition.h"

#include "base/check.h"
#include "fuzz/sample_request.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace basalt::fuzz {

namespace {

using expression::Condition;
using expression::ExpressionKind;
using expression::SyntaxCache;

Result<Condition> parse(SyntaxCache &cache, const SampleRequest &request, std::string_view text, ExpressionKind kind)
{
    auto placeholders = request.placeholders();
    auto condition = Condition::parse(cache, text, kind, placeholders);
    if (!condition) {
        check_error(condition.error(), text);
    }
    return condition;
}

void check(const SampleRequest &request)
{
    constexpr std::size_t kCacheBytes = std::size_t{64} << 10;
    static SyntaxCache cache(kCacheBytes);
    static SyntaxCache keeps_nothing(0);

    const auto condition = parse(cache, request, request.text(), ExpressionKind::condition);
    const auto again = parse(cache, request, request.text(), ExpressionKind::condition);
    const auto fresh = parse(keeps_nothing, request, request.text(), ExpressionKind::condition);
    const auto filter = parse(cache, request, request.text(), ExpressionKind::filter);
    BASALT_CHECK(condition.has_value() == again.has_value() && condition.has_value() == fresh.has_value());
    BASALT_CHECK(condition.has_value() == filter.has_value());
    if (!condition) {
        BASALT_CHECK(condition.error() == again.error() && condition.error() == fresh.error());
        return;
    }
    auto placeholders = request.placeholders();
    BASALT_CHECK(Condition::parse(cache, request.text(), ExpressionKind::condition, placeholders));
    request.check_used(placeholders, true);
    const bool has_steps = request.text().find_first_of(".[") != std::string_view::npos;
    condition->for_each_attribute([&](std::string_view name) {
        BASALT_CHECK(!name.empty());
        BASALT_CHECK(has_steps || !condition->reaches_into(name));
    });

    const std::string negated_text = std::string("NOT (").append(request.text()).append(")");
    const auto negated = parse(keeps_nothing, request, negated_text, ExpressionKind::condition);
    for (const model::ItemView item : sample_items()) {
        const bool holds = condition->holds(item.attributes());
        BASALT_CHECK(again->holds(item.attributes()) == holds);
        BASALT_CHECK(fresh->holds(item.attributes()) == holds);
        BASALT_CHECK(filter->holds(item.attributes()) == holds);
        BASALT_CHECK(!negated || negated->holds(item.attributes()) != holds);
    }
}

} // namespace

} // namespace basalt::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    basalt::fuzz::check(basalt::fuzz::SampleRequest({reinterpret_cast<const char *>(data), size}));
    return 0;
}
