// Response JSON byte by byte.
#include "protocol/json_writer.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <limits>

namespace basalt::protocol {
namespace {

template <typename Write>
std::string written(Write write)
{
    std::string out;
    JsonWriter writer(out);
    write(writer);
    return out;
}

std::string string_json(std::string_view text)
{
    return written([&](JsonWriter &w) { w.string(text); });
}

TEST(JsonWriter, NestingAndCommas)
{
    EXPECT_EQ(written([](JsonWriter &w) {
                  w.begin_object();
                  w.key("a");
                  w.begin_array();
                  w.integer(1);
                  w.begin_object();
                  w.end_object();
                  w.begin_array();
                  w.end_array();
                  w.boolean(true);
                  w.end_array();
                  w.key("b\"");
                  w.raw("{\"x\":null}");
                  w.key("c");
                  w.boolean(false);
                  w.end_object();
              }),
              R"({"a":[1,{},[],true],"b\"":{"x":null},"c":false})");
}

TEST(JsonWriter, EveryCharacterReadsBack)
{
    std::string all;
    for (int c = 0; c < 128; ++c) {
        all += static_cast<char>(c);
    }
    all += "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
    simdjson::dom::parser parser;
    for (std::size_t from = 0; from < 128; ++from) {
        const auto text = all.substr(from);
        const std::string json = "{\"k\":" + string_json(text) + "}";
        simdjson::dom::element root;
        ASSERT_EQ(parser.parse(json).get(root), simdjson::SUCCESS) << json;
        EXPECT_EQ(std::string_view(root["k"]), text);
    }
    EXPECT_EQ(string_json("a\x01\x1f\n\"\\/\x7f"), "\"a\\u0001\\u001f\\n\\\"\\\\/\x7f\"");
}

TEST(JsonWriter, EscapesAtEveryOffset)
{
    for (std::size_t size = 0; size < 40; ++size) {
        for (std::size_t at = 0; at < size; ++at) {
            for (const char special : {'"', '\\', '\t', '\x1f', '\0'}) {
                std::string text(size, '\x20');
                text[at] = special;
                const auto json = string_json(text);
                EXPECT_EQ(json.find('\\'), at + 1);
                EXPECT_EQ(json.size(), size + (special == '\x1f' || special == '\0' ? 7U : 3U));
            }
            std::string plain(size, '\xC3');
            plain[at] = '!';
            EXPECT_EQ(string_json(plain), '"' + plain + '"');
        }
    }
}

TEST(JsonWriter, Numbers)
{
    const auto integer = [](std::int64_t v) { return written([&](JsonWriter &w) { w.integer(v); }); };
    EXPECT_EQ(integer(0), "0");
    EXPECT_EQ(integer(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
    const auto real = [](double v) { return written([&](JsonWriter &w) { w.real(v); }); };
    EXPECT_EQ(real(0.5), "0.5");
    EXPECT_EQ(real(1), "1.0");
    EXPECT_EQ(real(12), "12.0");
    EXPECT_EQ(real(0), "0.0");
    EXPECT_EQ(real(1e22), "1e+22");
    EXPECT_EQ(real(0.1), "0.1");
    const auto timestamp = [](std::int64_t v) { return written([&](JsonWriter &w) { w.timestamp_ms(v); }); };
    EXPECT_EQ(timestamp(1'700'000'000'123), "1700000000.123");
    EXPECT_EQ(timestamp(1'700'000'000'005), "1700000000.005");
    EXPECT_EQ(timestamp(0), "0.000");
    EXPECT_EQ(timestamp(-1), "-0.001");
}

} // namespace
} // namespace basalt::protocol
