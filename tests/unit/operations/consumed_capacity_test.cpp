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

std::string written(CapacityReport report)
{
    std::string text;
    protocol::JsonWriter out(text);
    out.begin_object();
    write_consumed_capacity(out, report, "table", 2.5);
    out.end_object();
    return text;
}

TEST(ConsumedCapacity, IsWrittenAsAskedFor)
{
    EXPECT_EQ(written(CapacityReport::none), "{}");
    EXPECT_EQ(written(CapacityReport::total), R"({"ConsumedCapacity":{"TableName":"table","CapacityUnits":2.5}})");
    EXPECT_EQ(written(CapacityReport::indexes),
              R"({"ConsumedCapacity":{"TableName":"table","CapacityUnits":2.5,"Table":{"CapacityUnits":2.5}}})");
}

} // namespace
} // namespace basalt::operations
