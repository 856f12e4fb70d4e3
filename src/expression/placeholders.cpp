// Look-up and bookkeeping of placeholders.
#include "expression/placeholders.h"

#include "basalt/error.h"
#include "expression/lexer.h"

#include <algorithm>
#include <string>

namespace basalt::expression {

namespace {

// Up to here a linear search is faster than sorting first.
constexpr std::size_t kFewPlaceholders = 16;
constexpr std::size_t kMaxPlaceholderBytes = 255;

std::string_view text_of(const NameSubstitution &substitution) noexcept
{
    return substitution.placeholder;
}

std::string_view text_of(const model::Attribute &value) noexcept
{
    return value.name;
}

template <typename Entries>
std::vector<std::uint32_t> sorted_positions(const Entries &entries)
{
    std::vector<std::uint32_t> positions;
    if (entries.size() <= kFewPlaceholders) {
        return positions;
    }
    positions.resize(entries.size());
    for (std::uint32_t i = 0; i < positions.size(); ++i) {
        positions[i] = i;
    }
    std::ranges::sort(positions, {}, [&](std::uint32_t i) { return text_of(entries[i]); });
    return positions;
}

template <typename Entries>
std::optional<std::size_t> find(const Entries &entries, const std::vector<std::uint32_t> &sorted, std::string_view text)
{
    if (sorted.empty()) {
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (text_of(entries[i]) == text) {
                return i;
            }
        }
        return std::nullopt;
    }
    const auto at = std::ranges::lower_bound(sorted, text, {}, [&](std::uint32_t i) { return text_of(entries[i]); });
    if (at == sorted.end() || text_of(entries[*at]) != text) {
        return std::nullopt;
    }
    return *at;
}

template <typename Entries>
Result<void> check_used(const Entries &entries, const std::vector<bool> &used, std::string_view member)
{
    std::string unused;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (!used[i]) {
            unused.append(unused.empty() ? "" : ", ").append(text_of(entries[i]));
        }
    }
    if (unused.empty()) {
        return {};
    }
    std::string message = "Value provided in ";
    message.append(member).append(" unused in expressions: keys: {").append(unused).append("}");
    return fail(ErrorCode::validation, std::move(message));
}

} // namespace

Placeholders::Placeholders(std::span<const NameSubstitution> names, model::MapView values)
    : names_(names),
      names_sorted_(sorted_positions(names)),
      names_used_(names.size())
{
    values_.reserve(values.count());
    for (const model::Attribute value : values) {
        values_.push_back(value);
    }
    values_sorted_ = sorted_positions(values_);
    values_used_.resize(values_.size());
}

std::optional<std::string_view> Placeholders::name(std::string_view placeholder)
{
    const auto at = find(names_, names_sorted_, placeholder);
    if (!at) {
        return std::nullopt;
    }
    names_used_[*at] = true;
    return names_[*at].name;
}

std::optional<model::ValueView> Placeholders::value(std::string_view placeholder)
{
    const auto at = find(values_, values_sorted_, placeholder);
    if (!at) {
        return std::nullopt;
    }
    values_used_[*at] = true;
    return values_[*at].value;
}

Result<void> Placeholders::check_all_used() const
{
    if (auto names = check_used(names_, names_used_, "ExpressionAttributeNames"); !names) {
        return names;
    }
    return check_used(values_, values_used_, "ExpressionAttributeValues");
}

bool is_placeholder(char sigil, std::string_view text) noexcept
{
    return text.size() >= 2 && text.size() <= kMaxPlaceholderBytes && text.front() == sigil &&
           std::ranges::all_of(text.substr(1), is_word_character);
}

} // namespace basalt::expression
