// JsonParser: one simdjson parser and the decoding buffers of a thread, sized to what its requests need.
#include "base/check.h"
#include "protocol/decoder.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

namespace basalt::protocol {
namespace {

constexpr std::size_t kMinCapacityBytes = std::size_t{64} << 10;
constexpr std::size_t kKeptCapacityBytes = std::size_t{1} << 20;
// Twice what a request may have; below it simdjson's element counts are exact.
constexpr std::size_t kMaxDocumentBytes = std::size_t{32} << 20;

bool is_digit(char c) noexcept
{
    return c >= '0' && c <= '9';
}

/// End of the run of digits at `at`.
std::size_t skip_digits(std::string_view text, std::size_t at) noexcept
{
    while (at < text.size() && is_digit(text[at])) {
        ++at;
    }
    return at;
}

/// A number of JSON's grammar, found at `at`; end == at if there is none.
struct NumberToken {
    std::size_t end;
    bool is_integer;
};
NumberToken scan_number(std::string_view text, std::size_t at) noexcept
{
    const auto peek = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
    std::size_t i = at + static_cast<std::size_t>(peek(at) == '-');
    const std::size_t digits = skip_digits(text, i);
    if (digits == i || (peek(i) == '0' && digits != i + 1)) {
        return {at, false};
    }
    i = digits;
    bool is_integer = true;
    if (peek(i) == '.') {
        const auto end = skip_digits(text, i + 1);
        if (end == i + 1) {
            return {at, false};
        }
        i = end;
        is_integer = false;
    }
    if (peek(i) == 'e' || peek(i) == 'E') {
        std::size_t begin = i + 1;
        begin += static_cast<std::size_t>(peek(begin) == '+' || peek(begin) == '-');
        const auto end = skip_digits(text, begin);
        if (end == begin) {
            return {at, false};
        }
        i = end;
        is_integer = false;
    }
    return {i, is_integer};
}

/// JSON allows numbers that simdjson cannot hold. Each is replaced by the largest of its kind that fits its place, so
/// that it is out of every range of the model as before.
void clamp_numbers(char *data, std::size_t size)
{
    constexpr std::string_view kLargestInteger = "18446744073709551615";
    constexpr std::string_view kLargestShortReal = "9e99";
    constexpr std::size_t kMaxIntegerCharacters = 19;
    const std::string_view text(data, size);
    for (std::size_t i = 0; i < size;) {
        if (text[i] == '"') {
            for (++i; i < size && text[i] != '"'; ++i) {
                i += static_cast<std::size_t>(text[i] == '\\');
            }
            ++i;
            continue;
        }
        const auto token = scan_number(text, i);
        const std::size_t length = token.end - i;
        if (length == 0) {
            ++i;
            continue;
        }
        const bool clamp = token.is_integer ? length > kMaxIntegerCharacters
                                            : length > kLargestShortReal.size() &&
                                                  text.substr(i, length).find("e-") == std::string_view::npos &&
                                                  text.substr(i, length).find("E-") == std::string_view::npos;
        double value = 0;
        if (clamp && (token.is_integer ||
                      std::from_chars(data + i, data + token.end, value).ec == std::errc::result_out_of_range)) {
            const auto replacement = token.is_integer ? kLargestInteger : kLargestShortReal;
            std::memset(data + i, ' ', length);
            std::memcpy(data + i, replacement.data(), replacement.size());
        }
        i = token.end;
    }
}

} // namespace

struct JsonParser::State {
    simdjson::dom::parser parser;
    std::string copy;
    simdjson::dom::element root;
    bool parsed = false;
    DecodeBuffers buffers;

    /// Grows in powers of two.
    bool reserve(std::size_t bytes)
    {
        const std::size_t wanted = std::max(kMinCapacityBytes, std::bit_ceil(bytes));
        if (parser.capacity() < wanted &&
            (parser.allocate(wanted) != simdjson::SUCCESS || parser.doc.allocate(wanted) != simdjson::SUCCESS)) {
            return false;
        }
        return true;
    }

    /// Gives back what a large request made.
    void shrink()
    {
        if (parser.capacity() > kKeptCapacityBytes) {
            parser = simdjson::dom::parser();
        }
        if (copy.capacity() > kKeptCapacityBytes) {
            std::string().swap(copy);
        }
        buffers.release_above(kKeptCapacityBytes);
        parsed = false;
    }

    simdjson::error_code parse_copy(std::string_view body, bool clamp)
    {
        copy.resize(body.size() + simdjson::SIMDJSON_PADDING);
        std::memcpy(copy.data(), body.data(), body.size());
        if (clamp) {
            clamp_numbers(copy.data(), body.size());
        }
        return parser.parse(copy.data(), body.size(), false).get(root);
    }
};

JsonParser::JsonParser()
    : state_(std::make_unique<State>())
{}

JsonParser::~JsonParser() = default;

void JsonParser::release_large_buffers()
{
    state_->shrink();
}

Result<void> JsonParser::parse(std::string_view body, std::size_t padding)
{
    State &state = *state_;
    state.parsed = false;
    if (body.empty() || body.size() > kMaxDocumentBytes || !state.reserve(body.size())) {
        return fail(ErrorCode::serialization, {});
    }
    auto error = padding >= simdjson::SIMDJSON_PADDING
                     ? state.parser.parse(body.data(), body.size(), false).get(state.root)
                     : state.parse_copy(body, false);
    if (error == simdjson::NUMBER_ERROR) {
        error = state.parse_copy(body, true);
    }
    if (error != simdjson::SUCCESS || !state.root.is_object()) {
        return fail(ErrorCode::serialization, {});
    }
    state.parsed = true;
    return {};
}

Result<Node> JsonParser::decode_input(const OperationModel &operation, std::pmr::memory_resource &arena)
{
    BASALT_CHECK(state_->parsed);
    Decoder decoder(state_->buffers, arena, operation.short_exponents);
    Node input;
    if (!decoder.decode(*operation.input, state_->root, Place::member, input)) {
        return fail(ErrorCode::serialization, decoder.error());
    }
    return input;
}

} // namespace basalt::protocol
