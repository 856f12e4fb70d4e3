#include "engine/readable_key.h"

#include "codec/key_encoding.h"
#include "codec/utf8.h"

#include <string_view>

namespace basalt::engine {
namespace {

constexpr std::size_t kShownBytes = 48;
constexpr std::string_view kDigits = "0123456789ABCDEF";

void append_hex(char byte, std::string &out)
{
    const auto value = static_cast<unsigned char>(byte);
    out.push_back(kDigits[value >> 4U]);
    out.push_back(kDigits[value & 0xFU]);
}

/// C0 and DEL; and C1, which UTF-8 writes as C2 80 to C2 9F.
bool is_control(Bytes text, std::size_t at)
{
    const auto byte = static_cast<unsigned char>(text[at]);
    const bool is_c1 = at > 0 && text[at - 1] == '\xC2' && byte < 0xA0;
    return byte < 0x20 || byte == 0x7F || is_c1;
}

bool continues_character(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

std::string readable_part(model::AttributeType type, Bytes part)
{
    switch (type) {
    case model::AttributeType::number:
        if (const auto number = codec::decode_number_part(part)) {
            return number->to_string();
        }
        return readable_bytes(part);
    case model::AttributeType::binary:
        return readable_bytes(part);
    default:
        return readable_text(part);
    }
}

void append_part(const std::vector<model::KeyElement> &elements, Bytes part, std::string &out)
{
    if (elements.empty()) {
        return;
    }
    if (!out.empty()) {
        out += ", ";
    }
    out += elements.front().name + "=" + readable_part(elements.front().type, part);
}

/// Several elements have their parts ended one behind the other, a single one has its part alone.
void append_parts(const std::vector<model::KeyElement> &elements, Bytes bytes, std::string &out)
{
    if (elements.size() <= 1) {
        append_part(elements, bytes, out);
        return;
    }
    const auto parts = codec::split_ended(bytes);
    if (!parts || parts->size() != elements.size()) {
        out += (out.empty() ? "" : ", ") + readable_bytes(bytes);
        return;
    }
    for (std::size_t i = 0; i < elements.size(); ++i) {
        append_part({elements[i]}, (*parts)[i], out);
    }
}

} // namespace

std::string readable_text(Bytes text)
{
    const bool is_utf8 = codec::is_utf8(text);
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i >= kShownBytes && !(is_utf8 && continues_character(text[i]))) {
            return out + "\"...";
        }
        if (is_control(text, i) || (!is_utf8 && static_cast<unsigned char>(text[i]) >= 0x80)) {
            out += "\\x";
            append_hex(text[i], out);
        } else {
            if (text[i] == '"' || text[i] == '\\') {
                out.push_back('\\');
            }
            out.push_back(text[i]);
        }
    }
    return out + "\"";
}

std::string readable_bytes(Bytes bytes)
{
    std::string out = "0x";
    for (const char byte : bytes.substr(0, kShownBytes)) {
        append_hex(byte, out);
    }
    return bytes.size() > kShownBytes ? out + "..." : out;
}

std::string readable_partition(const model::TableDescription &table, const StoredKey &key)
{
    std::string out;
    append_part(table.keys.hash, key.partition, out);
    return out;
}

std::string readable_key(const model::TableDescription &table, const StoredKey &key)
{
    std::string out;
    append_part(table.keys.hash, key.partition, out);
    append_part(table.keys.range, key.sort, out);
    return out;
}

std::string readable_key(const model::TableDescription &table, const model::IndexDescription &index,
                         const StoredKey &key)
{
    std::string out;
    append_part(table.keys.hash, key.partition, out);
    append_part(index.keys.range, key.sort, out);
    append_part(table.keys.range, key.tail, out);
    return out;
}

std::string readable_global_key(const model::TableDescription &table, const model::IndexDescription &index,
                                const StoredKey &key)
{
    std::string out;
    append_parts(index.keys.hash, key.partition, out);
    append_parts(index.keys.range, key.sort, out);
    const auto base = codec::split_ended(key.tail);
    if (!base || base->size() != 2) {
        return out + " of " + readable_bytes(key.tail);
    }
    return out + " of " + readable_key(table, {{}, 0, base->front(), base->back(), {}});
}

} // namespace basalt::engine
