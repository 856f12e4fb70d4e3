// The views over bytes laid out by hand, so that reader and writer cannot be wrong together.
#include "model/item_view.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace basalt::model {
namespace {

using namespace std::string_literals;

std::string u32(std::uint32_t value)
{
    std::string bytes;
    for (int i = 0; i < 4; ++i) {
        bytes.push_back(static_cast<char>(value >> (8 * i)));
    }
    return bytes;
}

std::string short_text(const std::string &text)
{
    return std::string(1, static_cast<char>(text.size())) + text;
}

std::string container(std::uint32_t count, const std::string &elements)
{
    return u32(static_cast<std::uint32_t>(elements.size())) + u32(count) + elements;
}

TEST(ItemView, NamesTypes)
{
    const std::vector<std::pair<AttributeType, std::string>> names = {
        {AttributeType::string, "S"},     {AttributeType::number, "N"},      {AttributeType::binary, "B"},
        {AttributeType::boolean, "BOOL"}, {AttributeType::null, "NULL"},     {AttributeType::map, "M"},
        {AttributeType::list, "L"},       {AttributeType::string_set, "SS"}, {AttributeType::number_set, "NS"},
        {AttributeType::binary_set, "BS"}};
    for (const auto &[type, name] : names) {
        EXPECT_EQ(type_name(type), name);
        EXPECT_EQ(type_from_name(name), type);
    }
    for (const char *name : {"", "s", "X", "SSS", "Bool"}) {
        EXPECT_EQ(type_from_name(name), std::nullopt) << name;
    }
}

TEST(ItemView, ReadsEveryType)
{
    const std::string map = "\6"s + container(1, short_text("in") + "\1"s + short_text("deep"));
    const std::string list = "\7"s + container(3, "\5"s + "\4\0"s + map);
    const std::string set = "\x8"s + container(2, short_text("x") + short_text(""));
    const std::string entries = short_text("s") + "\1"s + short_text("text") +    //
                                short_text("n") + "\2"s + short_text("-1.5") +    //
                                short_text("b") + "\3"s + short_text("\0\xff"s) + //
                                short_text("t") + "\4\1"s +                       //
                                short_text("l") + list +                          //
                                short_text("set") + set;
    const std::string bytes = "\1"s + u32(77) + container(6, entries);
    const ItemView item(bytes);

    EXPECT_EQ(item.size_bytes(), 77U);
    EXPECT_EQ(item.attributes().count(), 6U);
    EXPECT_EQ(item.find("s")->text(), "text");
    EXPECT_EQ(item.find("n")->text(), "-1.5");
    EXPECT_EQ(item.find("n")->type(), AttributeType::number);
    EXPECT_EQ(item.find("b")->text(), "\0\xff"s);
    EXPECT_TRUE(item.find("t")->boolean());
    EXPECT_EQ(item.find("se"), std::nullopt);
    EXPECT_EQ(item.find(""), std::nullopt);

    EXPECT_EQ(item.find("l")->bytes(), list);
    std::vector<ValueView> elements;
    for (const ValueView element : item.find("l")->list()) {
        elements.push_back(element);
    }
    ASSERT_EQ(elements.size(), item.find("l")->list().count());
    EXPECT_EQ(elements[0].type(), AttributeType::null);
    EXPECT_FALSE(elements[1].boolean());
    EXPECT_EQ(elements[2].map().find("in")->text(), "deep");

    std::vector<Bytes> members;
    for (const Bytes member : item.find("set")->set()) {
        members.push_back(member);
    }
    EXPECT_EQ(members, (std::vector<Bytes>{"x", ""}));
    EXPECT_EQ(item.find("set")->set().count(), 2U);

    std::string names;
    for (const Attribute attribute : item.attributes()) {
        names.append(attribute.name).push_back(' ');
    }
    EXPECT_EQ(names, "s n b t l set ");
}

TEST(ItemView, ReadsLongLengths)
{
    const std::string long_text(300, 'x');
    const std::string longer_text(70'000, 'y');
    const std::string entries = "\xAC\x02"s + long_text + "\1\xF0\xA2\x04"s + longer_text + short_text("z") + "\5"s;
    const std::string bytes = container(2, entries);
    const MapView map{Bytes(bytes)};
    EXPECT_EQ(map.find(long_text)->text(), longer_text);
    EXPECT_EQ(map.find("z")->type(), AttributeType::null);
}

TEST(ItemView, AnEmptyMapHasNothing)
{
    const MapView map;
    EXPECT_TRUE(map.empty());
    EXPECT_TRUE(map.begin() == map.end());
    EXPECT_EQ(map.find("a"), std::nullopt);
}

TEST(ItemViewDeathTest, TheWrongTypeAborts)
{
    const ValueView null{Bytes("\5")};
    EXPECT_DEATH((void)null.text(), "broken invariant");
    EXPECT_DEATH((void)null.boolean(), "broken invariant");
    EXPECT_DEATH((void)null.map(), "broken invariant");
    EXPECT_DEATH((void)null.list(), "broken invariant");
    EXPECT_DEATH((void)null.set(), "broken invariant");
}

} // namespace
} // namespace basalt::model
