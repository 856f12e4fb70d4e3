// Key conditions: refused with a text, or a few clauses for different attributes, the same each time.
#include "expression/key_condition.h"

#include "base/check.h"
#include "fuzz/sample_request.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace basalt::fuzz {

namespace {

using expression::KeyClause;
using expression::KeyOperator;

bool same(const KeyClause &left, const KeyClause &right)
{
    return left.attribute == right.attribute && left.op == right.op && left.value.bytes() == right.value.bytes() &&
           left.upper.has_value() == right.upper.has_value() &&
           (!left.upper || left.upper->bytes() == right.upper->bytes());
}

void check_clauses(const std::vector<KeyClause> &clauses)
{
    BASALT_CHECK(!clauses.empty() && clauses.size() <= expression::kMaxKeyClauses);
    for (const KeyClause &clause : clauses) {
        BASALT_CHECK(!clause.attribute.empty());
        BASALT_CHECK(clause.op != KeyOperator::not_indexable);
        BASALT_CHECK(clause.upper.has_value() == (clause.op == KeyOperator::between));
        for (const KeyClause &other : clauses) {
            BASALT_CHECK(&other == &clause || other.attribute != clause.attribute);
        }
    }
    for (std::size_t attributes = 1; attributes <= expression::kMaxKeyClauses; ++attributes) {
        if (const auto fits = expression::check_clause_count(clauses.size(), attributes); !fits) {
            check_error(fits.error(), {});
        }
    }
}

void check(const SampleRequest &request)
{
    constexpr std::size_t kCacheBytes = std::size_t{64} << 10;
    static expression::SyntaxCache cache(kCacheBytes);
    auto placeholders = request.placeholders();
    const auto clauses = expression::parse_key_condition(cache, request.text(), placeholders);
    request.check_used(placeholders, clauses.has_value());
    auto more_placeholders = request.placeholders();
    const auto again = expression::parse_key_condition(cache, request.text(), more_placeholders);
    BASALT_CHECK(clauses.has_value() == again.has_value());
    if (!clauses) {
        check_error(clauses.error(), request.text());
        BASALT_CHECK(clauses.error() == again.error());
        return;
    }
    check_clauses(*clauses);
    BASALT_CHECK(clauses->size() == again->size());
    for (std::size_t i = 0; i < clauses->size(); ++i) {
        BASALT_CHECK(same((*clauses)[i], (*again)[i]));
    }
}

} // namespace

} // namespace basalt::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    basalt::fuzz::check(basalt::fuzz::SampleRequest({reinterpret_cast<const char *>(data), size}));
    return 0;
}
