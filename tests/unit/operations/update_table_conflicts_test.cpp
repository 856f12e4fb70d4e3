// What may be changed while an index is being built beside a table that is ACTIVE, a state that no request can hold on
// to.
#include "operations/table_work.h"
#include "operations/update_table_conflicts.h"

#include <gtest/gtest.h>

namespace basalt::operations {
namespace {

constexpr std::int64_t kNowMs = 1'700'000'000'000;

model::IndexDescription index_named(const char *name)
{
    model::IndexDescription index;
    index.name = name;
    return index;
}

class WhileBuilding : public testing::Test {
protected:
    WhileBuilding()
    {
        table_.name = "table";
        table_.created_ms = kNowMs - 5000;
        table_.active_from_ms = kNowMs - 4000;
        table_.updated_from_ms = kNowMs; // room has just been made for the index
        table_.global_indexes = {index_named("old"), index_named("new")};
        table_.global_indexes[1].building = true;
    }

    [[nodiscard]] ErrorCode refusal(const UpdateTableRequest &request, std::int64_t now_ms = kNowMs) const
    {
        const auto checked = check_free(request, table_, now_ms);
        return checked ? kFree : checked.error().code;
    }

    static constexpr auto kFree = ErrorCode::would_block; // which it never is
    model::TableDescription table_;
};

UpdateTableRequest deletion_of(const char *name)
{
    UpdateTableRequest request;
    request.online_changes = 1;
    request.deleted = name;
    return request;
}

UpdateTableRequest creation_of(const char *name)
{
    UpdateTableRequest request;
    request.online_changes = 1;
    request.created = index_named(name);
    return request;
}

UpdateTableRequest update_of(const char *name)
{
    UpdateTableRequest request;
    request.updates.push_back({name, model::Units{1, 1}, {}, {}});
    return request;
}

UpdateTableRequest table_units()
{
    UpdateTableRequest request;
    request.provisioned = model::Units{1, 1};
    return request;
}

TEST_F(WhileBuilding, OnlyThatIndexCanBeDeletedAndNoneCreated)
{
    EXPECT_EQ(refusal(deletion_of("new")), kFree);
    EXPECT_EQ(refusal(deletion_of("old")), ErrorCode::limit_exceeded);
    EXPECT_EQ(refusal(creation_of("another")), ErrorCode::limit_exceeded);
}

TEST_F(WhileBuilding, UnitsAreFree)
{
    EXPECT_EQ(refusal(update_of("new")), kFree);
    EXPECT_EQ(refusal(update_of("old")), kFree);
    EXPECT_EQ(refusal(table_units()), kFree);
}

TEST_F(WhileBuilding, BeforeThatItIsNotTouched)
{
    EXPECT_EQ(work_of(table_, kNowMs - 1), TableWork::index_creation);
    EXPECT_EQ(refusal(deletion_of("new"), kNowMs - 1), ErrorCode::resource_in_use);
    EXPECT_EQ(refusal(update_of("new"), kNowMs - 1), ErrorCode::resource_in_use);
    EXPECT_EQ(refusal(update_of("old"), kNowMs - 1), kFree);
    EXPECT_EQ(refusal(table_units(), kNowMs - 1), ErrorCode::resource_in_use);
}

TEST_F(WhileBuilding, TheTableMayBeBusyWithItsUnits)
{
    table_.updated_from_ms = kNowMs + 1000;
    table_.changes.last_increase_ms = kNowMs + 1000;
    EXPECT_EQ(work_of(table_, kNowMs), TableWork::throughput);
    EXPECT_EQ(refusal(deletion_of("new")), ErrorCode::resource_in_use);
    EXPECT_EQ(refusal(creation_of("another")), ErrorCode::limit_exceeded);
}

} // namespace
} // namespace basalt::operations
