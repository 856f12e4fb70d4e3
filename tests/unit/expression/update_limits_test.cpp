// Updates and projections at the limits of what a request can say and an item can hold, and random texts.
#include "codec/item_encoding.h"
#include "expression/update.h"
#include "model/limits.h"
#include "unit/expression/item_notation.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

namespace basalt::expression {
namespace {

std::string members(int begin, int end)
{
    std::string text = "SS(";
    for (int i = begin; i < end; ++i) {
        text.append(i == begin ? "'" : ", '").append(std::to_string(i)).append("'");
    }
    return text + ")";
}

/// The encoded result or the message.
std::string applied(std::string_view text, NotedPlaceholders &request, const std::string &item)
{
    SyntaxCache cache(1 << 20);
    const auto update = Update::parse(cache, text, *request);
    if (!update) {
        return update.error().message;
    }
    std::string out;
    const auto result = update->apply(model::ItemView(item).attributes(), true, out);
    if (!result) {
        return result.error().message;
    }
    EXPECT_TRUE(codec::is_valid_item(out));
    return out;
}

TEST(UpdateLimits, LargeSets)
{
    NotedPlaceholders request("{:a: " + members(50'000, 150'000) + ", :d: " + members(1, 99'999) + "}");
    const std::string item = item_from("{a: " + members(0, 100'000) + ", b: " + members(0, 100'000) + "}");
    const std::string out = applied("ADD a :a DELETE b :d", request, item);
    const auto attributes = model::ItemView(out).attributes();
    EXPECT_EQ(attributes.find("a")->set().count(), 150'000U);
    EXPECT_EQ(notation_of(*attributes.find("b")), "SS('0', '99999')");
}

TEST(UpdateLimits, ManyActionsOnALargeItem)
{
    std::string notation = "{k: 0";
    for (int i = 0; i < 60'000; ++i) {
        notation.append(", ").append(std::to_string(i)).append(": 1");
    }
    notation += ", a: [";
    for (int i = 0; i < 2000; ++i) {
        notation.append(i == 0 ? "{x: 1}" : ", {x: 1}");
    }
    const std::string item = item_from(notation + "]}");
    std::string text = "SET b = :v";
    for (int i = 0; i < 145; ++i) {
        const std::string element = "a[" + std::to_string(13 * i) + "]";
        text.append(",").append(element).append(".x=").append(element).append(".x+:v");
    }
    NotedPlaceholders request("{:v: 5}");
    const std::string out = applied(text, request, item);
    const auto list = model::ItemView(out).find("a")->list();
    int index = 0;
    for (const model::ValueView element : list) {
        EXPECT_EQ(element.map().find("x")->text(), index % 13 == 0 && index <= 13 * 144 ? "6" : "1") << index;
        ++index;
    }
    EXPECT_EQ(index, 2000);
}

TEST(UpdateLimits, WhatIsFarTooLargeIsNotBuilt)
{
    const std::string item = item_from("{l: ['" + std::string(300'000, 'x') + "'], s: " + members(0, 60'000) + "}");
    NotedPlaceholders request("{:v: ['" + std::string(300'000, 'y') + "'], :s: " + members(0, 90'000) + "}");
    const std::string too_large = "Item size to update has exceeded the maximum allowed size";
    std::string lists = "SET a=l";
    std::string sets = "ADD a :s";
    std::string differences = "DELETE s :s";
    for (int i = 0; i < 150; ++i) {
        const std::string name = ",a" + std::to_string(i);
        lists.append(name).append("=list_append(l,l)");
        sets.append(name).append(" :s");
        differences.append(name).append(" :s");
    }
    EXPECT_EQ(applied(lists, request, item), too_large);
    EXPECT_EQ(applied(sets, request, item), too_large);
    EXPECT_EQ(applied(differences, request, item), item_from("{l: ['" + std::string(300'000, 'x') + "']}"));
    // What does not exceed the bound by far is left to the caller.
    EXPECT_GT(model::ItemView(applied("SET b=l", request, item)).size_bytes(), model::kMaxItemBytes);
}

TEST(UpdateLimits, ManyPathsOfOneLongName)
{
    const std::string name(65'000, 'n');
    std::string text = "REMOVE #n[0]";
    for (int i = 1; i < 450; ++i) {
        text.append(",#n[").append(std::to_string(i * 7)).append("]");
    }
    NotedPlaceholders request("{}", "#n=" + name);
    const std::string out = applied(text, request, item_from("{" + name + ": [0, 1, 2, 3, 4, 5, 6, 7, 8]}"));
    EXPECT_EQ(notation_of(*model::ItemView(out).find(name)), "[1, 2, 3, 4, 5, 6, 8]");
}

constexpr std::array<std::string_view, 44> kTokens{"SET",
                                                   "REMOVE",
                                                   "ADD",
                                                   "DELETE",
                                                   "set",
                                                   "a",
                                                   "b",
                                                   "c",
                                                   "#a",
                                                   "#u",
                                                   ":n",
                                                   ":l",
                                                   ":s",
                                                   ":ss",
                                                   ":u",
                                                   "=",
                                                   "=",
                                                   "=",
                                                   ",",
                                                   ",",
                                                   "+",
                                                   "-",
                                                   "(",
                                                   ")",
                                                   ".",
                                                   "[0]",
                                                   "[3]",
                                                   "a.b",
                                                   "c[1]",
                                                   "name",
                                                   "between",
                                                   "in",
                                                   "1",
                                                   "_",
                                                   "\xC3\xBC",
                                                   "[",
                                                   "\xFF",
                                                   "a = :n",
                                                   "b = a",
                                                   "if_not_exists(",
                                                   "list_append(",
                                                   "size(",
                                                   "f(",
                                                   "]"};

TEST(UpdateLimits, RandomTextNeverCrashes)
{
    constexpr std::uint32_t kSeed = 20'260'101;
    std::printf("seed %u\n", kSeed);
    std::mt19937 random(kSeed);
    SyntaxCache cache(1 << 20);
    const std::string item = item_from("{a: {b: 1}, b: [1, 2], c: [[1], [2]], x: SS('a')}");
    int updates = 0;
    int projections = 0;
    for (int i = 0; i < 40'000; ++i) {
        std::string text = i % 3 == 0 ? "" : i % 3 == 1 ? "SET a = " : "REMOVE ";
        for (std::size_t count = random() % 7; count > 0; --count) {
            text.append(kTokens[random() % kTokens.size()]).append(random() % 3 == 0 ? "" : " ");
        }
        NotedPlaceholders request("{:n: 1, :l: [1], :s: 'x', :ss: SS('a')}", "#a=a");
        std::string out;
        if (const auto update = Update::parse(cache, text, *request)) {
            ++updates;
            if (update->apply(model::ItemView(item).attributes(), true, out)) {
                EXPECT_TRUE(codec::is_valid_item(out)) << text;
            }
        } else {
            EXPECT_TRUE(update.error().message.starts_with("Invalid UpdateExpression: ")) << text;
        }
        out.clear();
        if (const auto projection = Projection::parse(cache, text, *request)) {
            ++projections;
            projection->append_item(model::ItemView(item).attributes(), out);
            EXPECT_TRUE(codec::is_valid_item(out)) << text;
        } else {
            EXPECT_TRUE(projection.error().message.starts_with("Invalid ProjectionExpression: ")) << text;
        }
    }
    EXPECT_GT(updates, 500);
    EXPECT_GT(projections, 500);
}

} // namespace
} // namespace basalt::expression
