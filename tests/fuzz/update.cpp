// Updates: refused with a text, or an item that differs from the old one only in the attributes that the actions name,
// the same each time.
#include "expression/update.h"

#include "base/check.h"
#include "fuzz/checked_update.h"
#include "fuzz/sample_request.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace basalt::fuzz {

namespace {

using expression::SyntaxCache;
using expression::Update;

void check(const SampleRequest &request)
{
    constexpr std::size_t kCacheBytes = std::size_t{64} << 10;
    static SyntaxCache cache(kCacheBytes);
    auto placeholders = request.placeholders();
    const auto update = Update::parse(cache, request.text(), placeholders);
    request.check_used(placeholders, update.has_value());
    auto more_placeholders = request.placeholders();
    const auto again = Update::parse(cache, request.text(), more_placeholders);
    BASALT_CHECK(update.has_value() == again.has_value());
    if (!update) {
        check_error(update.error(), request.text());
        BASALT_CHECK(update.error() == again.error());
        return;
    }
    const bool has_steps = request.text().find_first_of(".[") != std::string_view::npos;
    for (const std::string_view attribute : update->attributes()) {
        BASALT_CHECK(has_steps || !update->reaches_into(attribute));
    }
    check_update(*update, *again, request.text());
}

} // namespace

} // namespace basalt::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    basalt::fuzz::check(basalt::fuzz::SampleRequest({reinterpret_cast<const char *>(data), size}));
    return 0;
}
