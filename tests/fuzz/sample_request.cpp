// The values and items, encoded once.
#include "fuzz/sample_request.h"

#include "base/check.h"
#include "codec/item_encoding.h"
#include "codec/utf8.h"
#include "expression/lexer.h"
#include "model/decimal.h"
#include "model/limits.h"

#include <array>
#include <string>

namespace basalt::fuzz {

namespace {

using codec::ItemWriter;
using model::AttributeType;

constexpr std::size_t kLetters = 26;

// Makes the set or map around it a large one.
constexpr std::string_view kLong = "a text that is too long for what is done with short encodings alone";

constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz";

// A sigil and a letter.
std::string_view placeholder(char sigil, std::size_t letter)
{
    constexpr std::string_view kNames = "#a#b#c#d#e#f#g#h#i#j#k#l#m#n#o#p#q#r#s#t#u#v#w#x#y#z";
    constexpr std::string_view kValues = ":a:b:c:d:e:f:g:h:i:j:k:l:m:n:o:p:q:r:s:t:u:v:w:x:y:z";
    return (sigil == '#' ? kNames : kValues).substr(2 * letter, 2);
}

bool mentions(std::string_view text, std::string_view placeholder)
{
    for (std::size_t at = text.find(placeholder); at != std::string_view::npos; at = text.find(placeholder, at + 1)) {
        const std::size_t behind = at + placeholder.size();
        if (behind == text.size() || !expression::is_word_character(text[behind])) {
            return true;
        }
    }
    return false;
}

void number(ItemWriter &out, std::string_view text)
{
    out.number(model::Decimal::parse(text).value());
}

void set(ItemWriter &out, AttributeType type, std::initializer_list<std::string_view> members)
{
    out.begin_set(type);
    for (const std::string_view member : members) {
        out.member(member);
    }
    out.end();
}

// Lists around a scalar.
void nest(ItemWriter &out, int levels)
{
    for (int level = 0; level < levels; ++level) {
        out.begin_list();
    }
    out.null();
    for (int level = 0; level < levels; ++level) {
        out.end();
    }
}

void write_map(ItemWriter &out, int levels);

// The value of a letter: what :letter stands for, and the attribute of that name in a map with so many levels left.
void write_letter(ItemWriter &out, char letter, int levels)
{
    switch (letter) {
    case 'a':
        return out.string("a");
    case 'b':
        return out.binary(std::string_view("\0a\xFF", 3));
    case 'c':
        return out.binary("a");
    case 'd':
        return nest(out, 2);
    case 'e':
        return out.string("");
    case 'f':
        return out.boolean(false);
    case 'g':
        return out.string("SS");
    case 'h':
        return number(out, "-1e-130");
    case 'i':
        return number(out, "0.1");
    case 'j':
        return number(out, "99999999999999999999999999999999999999");
    case 'k':
        return number(out, "9.9e125");
    case 'l':
        out.begin_list();
        out.string("a");
        number(out, "1");
        if (levels > 0) {
            write_map(out, levels - 1);
        }
        return out.end();
    case 'm':
        out.begin_map();
        out.name("a");
        number(out, "1");
        out.name("l");
        nest(out, 2);
        out.name("s");
        out.string(kLong);
        return out.end();
    case 'n':
        return number(out, "1");
    case 'o':
        return number(out, "-12.5");
    case 'p':
        return number(out, "0");
    case 'q':
        return set(out, AttributeType::number_set, {"1"});
    case 'r':
        return set(out, AttributeType::string_set, {"a"});
    case 's':
        return out.string("ab\xC3\xBC");
    case 't':
        return out.boolean(true);
    case 'u':
        return out.string("S");
    case 'v':
        return set(out, AttributeType::binary_set, {"a"});
    case 'w':
        return set(out, AttributeType::binary_set, {"a", "", "\xFF"});
    case 'x':
        return set(out, AttributeType::string_set, {"b", "a", kLong, ""});
    case 'y':
        return set(out, AttributeType::number_set, {"-12.5", "1", "0.001"});
    default:
        return out.null();
    }
}

void write_map(ItemWriter &out, int levels)
{
    out.begin_map();
    for (std::size_t letter = 0; letter < kLetters; ++letter) {
        out.name(kAlphabet.substr(letter, 1));
        if (levels > 0 && letter == 'm' - 'a') {
            write_map(out, levels - 1);
        } else {
            write_letter(out, static_cast<char>('a' + letter), levels);
        }
    }
    out.end();
}

// The same set or map as in the items, but in another order.
void write_value(ItemWriter &out, char letter)
{
    switch (letter) {
    case 'd':
        return nest(out, model::kMaxNestingLevels - 1);
    case 'm':
        out.begin_map();
        out.name("s");
        out.string(kLong);
        out.name("l");
        nest(out, 2);
        out.name("a");
        number(out, "1");
        return out.end();
    case 'w':
        return set(out, AttributeType::binary_set, {"\xFF", "a", ""});
    case 'x':
        return set(out, AttributeType::string_set, {kLong, "", "b", "a"});
    case 'y':
        return set(out, AttributeType::number_set, {"0.001", "-12.5", "1"});
    default:
        return write_letter(out, letter, 0);
    }
}

std::string_view name_of(std::size_t letter)
{
    switch (kAlphabet[letter]) {
    case 'd':
        return "a.b";
    case 'i':
        return "[0]";
    case 'r':
        return "size";
    case 'u':
        return "\xC3\xBC";
    default:
        return kAlphabet.substr(letter, 1);
    }
}

template <typename Body>
std::string encode_item(Body body)
{
    std::string bytes;
    ItemWriter out(bytes);
    out.begin_item();
    body(out);
    out.end();
    return bytes;
}

std::string every_type()
{
    return encode_item([](ItemWriter &out) {
        for (std::size_t letter = 0; letter < kLetters; ++letter) {
            out.name(kAlphabet.substr(letter, 1));
            if (letter == 'm' - 'a') {
                write_map(out, 2);
            } else {
                write_letter(out, static_cast<char>('a' + letter), 1);
            }
        }
        out.name("a.b");
        out.string("dotted");
        out.name("size");
        number(out, "3");
        out.name("\xC3\xBC");
        out.string("not ASCII");
    });
}

std::string extremes()
{
    return encode_item([](ItemWriter &out) {
        out.name("k");
        number(out, "-9.9e125");
        out.name("n");
        number(out, "1e-130");
        out.name("s");
        out.string("");
        out.name("l");
        out.begin_list();
        out.end();
        out.name("m");
        out.begin_map();
        out.end();
        out.name("x");
        set(out, AttributeType::string_set, {"a"});
        out.name("y");
        set(out, AttributeType::number_set, {"1"});
        out.name("w");
        set(out, AttributeType::binary_set, {"a"});
    });
}

std::string deep()
{
    return encode_item([](ItemWriter &out) {
        out.name("l");
        nest(out, model::kMaxNestingLevels - 1);
        out.name("m");
        for (int level = 1; level < model::kMaxNestingLevels; ++level) {
            out.begin_map();
            out.name("m");
        }
        number(out, "1");
        for (int level = 1; level < model::kMaxNestingLevels; ++level) {
            out.end();
        }
    });
}

std::string wide()
{
    constexpr int kAttributes = 40;
    constexpr int kElements = 200;
    return encode_item([](ItemWriter &out) {
        for (int i = 0; i < kAttributes; ++i) {
            out.name("n" + std::to_string(i));
            out.number(model::Decimal(i));
        }
        out.name("l");
        out.begin_list();
        for (int i = 0; i < kElements; ++i) {
            out.number(model::Decimal(i));
        }
        out.end();
        out.name("x");
        out.begin_set(AttributeType::string_set);
        for (int i = 0; i < kElements; ++i) {
            out.member(std::string_view(std::to_string(i)));
        }
        out.end();
        out.name("r"); // the same set from its other end
        out.begin_set(AttributeType::string_set);
        for (int i = kElements; i > 0; --i) {
            out.member(std::string_view(std::to_string(i - 1)));
        }
        out.end();
    });
}

} // namespace

SampleRequest::SampleRequest(Bytes input)
    : text_(input.substr(input.empty() ? 0 : 1)),
      only_mentioned_(input.starts_with('-'))
{
    const char absent = input.empty() ? ' ' : input.front();
    const auto sent = [&](std::string_view placeholder, char letter) {
        return only_mentioned_ ? mentions(text_, placeholder) : letter != absent;
    };
    ItemWriter values(values_);
    values.begin_map();
    for (std::size_t letter = 0; letter < kLetters; ++letter) {
        const std::string_view name = placeholder('#', letter);
        if (sent(name, static_cast<char>('A' + letter))) {
            names_.push_back({name, name_of(letter)});
        }
        const std::string_view value = placeholder(':', letter);
        if (sent(value, static_cast<char>('a' + letter))) {
            values.name(value);
            write_value(values, static_cast<char>('a' + letter));
        }
    }
    values.end();
}

void SampleRequest::check_used(const expression::Placeholders &placeholders, bool accepted) const
{
    const auto all_used = placeholders.check_all_used();
    if (!all_used) {
        check_error(all_used.error(), {});
        BASALT_CHECK(!accepted || !only_mentioned_);
    }
}

std::span<const model::ItemView> sample_items()
{
    static const std::array<std::string, 5> encoded = {every_type(), encode_item([](ItemWriter &) {}), extremes(),
                                                       deep(), wide()};
    static const auto views = [] {
        std::vector<model::ItemView> all;
        for (const std::string &bytes : encoded) {
            BASALT_CHECK(codec::is_valid_item(bytes));
            all.emplace_back(bytes);
        }
        return all;
    }();
    return views;
}

void check_error(const Error &error, std::string_view expression)
{
    BASALT_CHECK(error.code == ErrorCode::validation);
    BASALT_CHECK(!error.message.empty());
    BASALT_CHECK(codec::is_utf8(error.message) || !codec::is_utf8(expression));
}

} // namespace basalt::fuzz
