#include "operations/operation.h"
#include "protocol/service_model.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::operations {
namespace {

TEST(Registry, FindsEachOperationByItsTargetAlone)
{
    ASSERT_FALSE(registry().empty());
    for (const auto &operation : registry()) {
        EXPECT_EQ(find_operation(operation.target), &operation);
        EXPECT_EQ(find_operation(std::string(operation.target) + " "), nullptr);
        EXPECT_EQ(find_operation(operation.target.substr(0, operation.target.size() - 1)), nullptr);
        EXPECT_EQ(find_operation(operation.action), nullptr);
    }
    EXPECT_EQ(find_operation(""), nullptr);
    EXPECT_EQ(find_operation("~"), nullptr);
}

TEST(Registry, EachOperationIsOneOfTheModel)
{
    for (const auto &operation : registry()) {
        const auto *const model = protocol::find_operation(operation.target);
        ASSERT_NE(model, nullptr) << operation.target;
        EXPECT_EQ(model->name, operation.action);
        EXPECT_NE(operation.run, nullptr);
    }
}

} // namespace
} // namespace basalt::operations
