// How a transaction that was not made says why.
#pragma once

#include "basalt/result.h"
#include "engine/item_commit.h"
#include "operations/response_limits.h"

#include <cstddef>
#include <string_view>

namespace basalt::operations {

/// Why an item of a transaction is not acceptable whatever the database holds.
inline constexpr std::string_view kSeveralOperations =
    "Transaction request cannot include multiple operations on one item";

/// How much the items in the reasons of one transaction have come to.
class ReasonItems {
public:
    void restart() { bytes_ = 0; }
    void add(const Error &refusal) { bytes_ += refusal.detail.size(); }
    /// Whether one more item may be shown.
    [[nodiscard]] bool have_room() const { return bytes_ <= kMaxReasonItemsBytes; }

private:
    std::size_t bytes_ = 0;
};

/// TransactionCanceledException with one reason for each item of the request. refusals: conditional_check_failed,
/// validation, item_collection_size_limit_exceeded or transaction_conflict; nothing for items that are not to blame.
[[nodiscard]] Error cancellation(const engine::Refusals &refusals);
/// The same with one reason: the item at that position of so many.
[[nodiscard]] Error cancellation(std::size_t items, std::size_t position, Error refusal);

} // namespace basalt::operations
