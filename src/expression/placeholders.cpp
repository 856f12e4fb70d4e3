// Look-up and bookkeeping of placeholders.
#include "expression/placeholders.h"

#include "basalt/error.h"
#include "expression/lexer.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace basalt::expression {

namespace {

// Up to here a linear search is faster than sorting first, and nothing is allocated.
constexpr std::size_t kFewPlaceholders = 16;
constexpr std::size_t kMaxPlaceholderBytes = 255;

/// Collects the placeholders of one parameter that were not used.
class Unused {
public:
    explicit Unused(std::string_view member)
        : member_(member)
    {}

    void add(std::string_view placeholder) { list_.append(list_.empty() ? "" : ", ").append(placeholder); }

    [[nodiscard]] Result<void> result() const
    {
        if (list_.empty()) {
            return {};
        }
        std::string message = "Value provided in ";
        message.append(member_).append(" unused in expressions: keys: {").append(list_).append("}");
        return fail(ErrorCode::validation, std::move(message));
    }

private:
    std::string_view member_;
    std::string list_;
};

} // namespace

Placeholders::Marks::Marks(std::size_t count)
    : many_(count > kFewPlaceholders ? count : 0)
{}

void Placeholders::Marks::set(std::size_t position)
{
    if (many_.empty()) {
        few_ |= std::uint64_t{1} << position;
    } else {
        many_[position] = true;
    }
}

bool Placeholders::Marks::operator[](std::size_t position) const
{
    return many_.empty() ? (few_ >> position & 1U) != 0 : many_[position];
}

template <typename Visit>
void Placeholders::for_each_value(Visit visit) const
{
    std::uint32_t position = 0;
    for (const model::Attribute value : values_) {
        visit(value, position++);
    }
}

Placeholders::Placeholders(std::span<const NameSubstitution> names, model::MapView values)
    : names_(names),
      values_(values),
      names_used_(names.size()),
      values_used_(values.count())
{
    if (names.size() > kFewPlaceholders) {
        names_sorted_.resize(names.size());
        std::iota(names_sorted_.begin(), names_sorted_.end(), 0U);
        std::ranges::sort(names_sorted_, {}, [&](std::uint32_t i) { return names[i].placeholder; });
    }
    if (values.count() > kFewPlaceholders) {
        values_sorted_.reserve(values.count());
        for_each_value([&](const model::Attribute &value, std::uint32_t i) { values_sorted_.emplace_back(value, i); });
        std::ranges::sort(values_sorted_, {}, [](const auto &entry) { return entry.first.name; });
    }
}

std::optional<std::string_view> Placeholders::name(std::string_view placeholder)
{
    std::size_t position = 0;
    if (names_sorted_.empty()) {
        const auto at = std::ranges::find(names_, placeholder, &NameSubstitution::placeholder);
        position = static_cast<std::size_t>(at - names_.begin());
    } else {
        const auto text_of = [&](std::uint32_t i) { return names_[i].placeholder; };
        const auto at = std::ranges::lower_bound(names_sorted_, placeholder, {}, text_of);
        position = at == names_sorted_.end() ? names_.size() : *at;
    }
    if (position == names_.size() || names_[position].placeholder != placeholder) {
        return std::nullopt;
    }
    names_used_.set(position);
    return names_[position].name;
}

std::optional<model::ValueView> Placeholders::value(std::string_view placeholder)
{
    if (values_sorted_.empty()) {
        std::size_t position = 0;
        for (const model::Attribute value : values_) {
            if (value.name == placeholder) {
                values_used_.set(position);
                return value.value;
            }
            ++position;
        }
        return std::nullopt;
    }
    const auto at =
        std::ranges::lower_bound(values_sorted_, placeholder, {}, [](const auto &entry) { return entry.first.name; });
    if (at == values_sorted_.end() || at->first.name != placeholder) {
        return std::nullopt;
    }
    values_used_.set(at->second);
    return at->first.value;
}

Result<void> Placeholders::check_all_used() const
{
    Unused names("ExpressionAttributeNames");
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (!names_used_[i]) {
            names.add(names_[i].placeholder);
        }
    }
    if (auto result = names.result(); !result) {
        return result;
    }
    Unused values("ExpressionAttributeValues");
    for_each_value([&](const model::Attribute &value, std::uint32_t i) {
        if (!values_used_[i]) {
            values.add(value.name);
        }
    });
    return values.result();
}

bool is_placeholder(char sigil, std::string_view text) noexcept
{
    return text.size() >= 2 && text.size() <= kMaxPlaceholderBytes && text.front() == sigil &&
           std::ranges::all_of(text.substr(1), is_word_character);
}

} // namespace basalt::expression
