#include "operations/consumed_capacity.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::operations {
namespace {

TEST(ConsumedCapacity, ReadsAreRoundedUpToFourKilobytes)
{
    EXPECT_EQ(read_units(0, true), 1.0);
    EXPECT_EQ(read_units(1, true), 1.0);
    EXPECT_EQ(read_units(4096, true), 1.0);
    EXPECT_EQ(read_units(4097, true), 2.0);
    EXPECT_EQ(read_units(409'600, true), 100.0);
}

TEST(ConsumedCapacity, EventualReadsCostHalf)
{
    EXPECT_EQ(read_units(0, false), 0.5);
    EXPECT_EQ(read_units(4096, false), 0.5);
    EXPECT_EQ(read_units(4097, false), 1.0);
    EXPECT_EQ(read_units(3 * 4096, false), 1.5);
}

TEST(ConsumedCapacity, WritesAreRoundedUpToOneKilobyteOfTheLargerItem)
{
    EXPECT_EQ(write_units(0, 0), 1.0);
    EXPECT_EQ(write_units(0, 1024), 1.0);
    EXPECT_EQ(write_units(0, 1025), 2.0);
    EXPECT_EQ(write_units(5000, 10), 5.0);
    EXPECT_EQ(write_units(10, 5000), 5.0);
    EXPECT_EQ(write_units(409'600, 409'600), 400.0);
}

model::TableDescription table()
{
    model::TableDescription description;
    description.name = "table";
    description.local_indexes.resize(2);
    description.local_indexes[0].name = "first";
    description.local_indexes[1].name = "second";
    description.global_indexes.resize(1);
    description.global_indexes[0].name = "global";
    return description;
}

std::string written(CapacityReport report, const CapacityUse &use)
{
    std::string text;
    protocol::JsonWriter out(text);
    out.begin_object();
    write_consumed_capacity(out, report, use);
    out.end_object();
    return text;
}

TEST(ConsumedCapacity, IsWrittenAsAskedFor)
{
    const auto description = table();
    CapacityUse use(description);
    use.add_table(2.5);
    EXPECT_EQ(written(CapacityReport::none, use), "{}");
    EXPECT_EQ(written(CapacityReport::total, use), R"({"ConsumedCapacity":{"TableName":"table","CapacityUnits":2.5}})");
    EXPECT_EQ(written(CapacityReport::indexes, use),
              R"({"ConsumedCapacity":{"TableName":"table","CapacityUnits":2.5,"Table":{"CapacityUnits":2.5}}})");
}

TEST(ConsumedCapacity, NamesTheIndexesThatWereUsed)
{
    const auto description = table();
    CapacityUse use(description);
    use.add_table(1);
    use.add_index(description.global_indexes[0], 4);
    use.add_index(description.local_indexes[1], 2);
    use.add_index(description.local_indexes[1], 0.5);
    EXPECT_EQ(use.total(), 7.5);
    EXPECT_EQ(written(CapacityReport::total, use), R"({"ConsumedCapacity":{"TableName":"table","CapacityUnits":7.5}})");
    EXPECT_EQ(written(CapacityReport::indexes, use),
              R"({"ConsumedCapacity":{"TableName":"table","CapacityUnits":7.5,"Table":{"CapacityUnits":1.0},)"
              R"("LocalSecondaryIndexes":{"second":{"CapacityUnits":2.5}},)"
              R"("GlobalSecondaryIndexes":{"global":{"CapacityUnits":4.0}}}})");
}

} // namespace
} // namespace basalt::operations
