// The compile-time list of operations; a new one is its own file and one line here.
#include "operations/operation.h"
#include "operations/resource_arn.h"

#include <algorithm>
#include <array>

namespace basalt::operations {
namespace {

constexpr std::array kOperations{
    Operation{"DynamoDB_20120810.BatchGetItem", "BatchGetItem", Access::read, Resource::item, batch_get_item},
    Operation{"DynamoDB_20120810.BatchWriteItem", "BatchWriteItem", Access::write, Resource::item, batch_write_item},
    Operation{"DynamoDB_20120810.CreateTable", "CreateTable", Access::write, Resource::table, create_table},
    Operation{"DynamoDB_20120810.DeleteItem", "DeleteItem", Access::write, Resource::item, delete_item},
    Operation{"DynamoDB_20120810.DeleteTable", "DeleteTable", Access::write, Resource::table, delete_table},
    Operation{"DynamoDB_20120810.DescribeEndpoints", "DescribeEndpoints", Access::read, Resource::none,
              describe_endpoints},
    Operation{"DynamoDB_20120810.DescribeLimits", "DescribeLimits", Access::read, Resource::none, describe_limits},
    Operation{"DynamoDB_20120810.DescribeTable", "DescribeTable", Access::read, Resource::table, describe_table},
    Operation{"DynamoDB_20120810.GetItem", "GetItem", Access::read, Resource::item, get_item},
    Operation{"DynamoDB_20120810.ListTables", "ListTables", Access::read, Resource::none, list_tables},
    Operation{"DynamoDB_20120810.ListTagsOfResource", "ListTagsOfResource", Access::read, Resource::table,
              list_tags_of_resource, require_resource_arn},
    Operation{"DynamoDB_20120810.PutItem", "PutItem", Access::write, Resource::item, put_item},
    Operation{"DynamoDB_20120810.Query", "Query", Access::read, Resource::item, query, nullptr, awaited_by_query},
    Operation{"DynamoDB_20120810.Scan", "Scan", Access::read, Resource::item, scan, nullptr, awaited_by_scan},
    Operation{"DynamoDB_20120810.TagResource", "TagResource", Access::write, Resource::table, tag_resource,
              require_resource_arn},
    Operation{"DynamoDB_20120810.TransactGetItems", "TransactGetItems", Access::read, Resource::item,
              transact_get_items},
    Operation{"DynamoDB_20120810.TransactWriteItems", "TransactWriteItems", Access::write, Resource::item,
              transact_write_items},
    Operation{"DynamoDB_20120810.UntagResource", "UntagResource", Access::write, Resource::table, untag_resource,
              require_resource_arn},
    Operation{"DynamoDB_20120810.UpdateItem", "UpdateItem", Access::write, Resource::item, update_item},
    Operation{"DynamoDB_20120810.UpdateTable", "UpdateTable", Access::write, Resource::table, update_table},
};

constexpr bool is_sorted_by_target()
{
    return std::is_sorted(kOperations.begin(), kOperations.end(),
                          [](const Operation &a, const Operation &b) { return a.target < b.target; });
}
static_assert(is_sorted_by_target());

} // namespace

std::span<const Operation> registry() noexcept
{
    return kOperations;
}

const Operation *find_operation(std::string_view target) noexcept
{
    const auto *const found =
        std::lower_bound(kOperations.begin(), kOperations.end(), target,
                         [](const Operation &operation, std::string_view wanted) { return operation.target < wanted; });
    return found != kOperations.end() && found->target == target ? found : nullptr;
}

} // namespace basalt::operations
