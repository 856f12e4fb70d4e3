// Projections: refused with a text, or a smaller item made of an item's own attributes, the same each time.
#include "expression/projection.h"

#include "base/check.h"
#include "codec/item_encoding.h"
#include "fuzz/sample_request.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace basalt::fuzz {

namespace {

using expression::Projection;
using expression::SyntaxCache;

std::string projected(const Projection &projection, model::MapView item)
{
    constexpr std::string_view kBefore = "before";
    std::string out(kBefore);
    projection.append_item(item, out);
    BASALT_CHECK(out.starts_with(kBefore));
    out.erase(0, kBefore.size());
    BASALT_CHECK(codec::is_valid_item(out));
    return out;
}

void check_item(const Projection &projection, const Projection &again, model::ItemView item, bool has_indexes)
{
    const std::string out = projected(projection, item.attributes());
    BASALT_CHECK(projected(again, item.attributes()) == out);
    const model::ItemView part(out);
    BASALT_CHECK(part.size_bytes() <= item.size_bytes());
    for (const model::Attribute attribute : part.attributes()) {
        BASALT_CHECK(std::ranges::count(projection.attributes(), attribute.name) == 1);
        BASALT_CHECK(item.find(attribute.name).has_value());
    }
    if (!has_indexes) { // which move list elements
        BASALT_CHECK(projected(projection, part.attributes()) == out);
    }
}

void check(const SampleRequest &request)
{
    constexpr std::size_t kCacheBytes = std::size_t{64} << 10;
    static SyntaxCache cache(kCacheBytes);
    auto placeholders = request.placeholders();
    const auto projection = Projection::parse(cache, request.text(), placeholders);
    request.check_used(placeholders, projection.has_value());
    auto more_placeholders = request.placeholders();
    const auto again = Projection::parse(cache, request.text(), more_placeholders);
    BASALT_CHECK(projection.has_value() == again.has_value());
    if (!projection) {
        check_error(projection.error(), request.text());
        BASALT_CHECK(projection.error() == again.error());
        return;
    }
    const bool has_steps = request.text().find_first_of(".[") != std::string_view::npos;
    for (const std::string_view attribute : projection->attributes()) {
        BASALT_CHECK(has_steps || !projection->reaches_into(attribute));
    }
    const bool has_indexes = request.text().find('[') != std::string_view::npos;
    for (const model::ItemView item : sample_items()) {
        check_item(*projection, *again, item, has_indexes);
    }
}

} // namespace

} // namespace basalt::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    basalt::fuzz::check(basalt::fuzz::SampleRequest({reinterpret_cast<const char *>(data), size}));
    return 0;
}
