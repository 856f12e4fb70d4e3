#include "operations/transaction_cancellation.h"

#include "base/check.h"
#include "protocol/json_writer.h"

#include <string>
#include <utility>

namespace basalt::operations {
namespace {

std::string_view reason_code(const std::optional<Error> &refusal)
{
    if (!refusal) {
        return "None";
    }
    switch (refusal->code) {
    case ErrorCode::conditional_check_failed:
        return "ConditionalCheckFailed";
    case ErrorCode::validation:
        return "ValidationError";
    case ErrorCode::item_collection_size_limit_exceeded:
        return "ItemCollectionSizeLimitExceeded";
    case ErrorCode::transaction_conflict:
        return "TransactionConflict";
    default:
        BASALT_CHECK(false && "not a reason to cancel a transaction");
    }
    return {};
}

} // namespace

Error cancellation(const engine::Refusals &refusals)
{
    Error error{ErrorCode::transaction_canceled,
                "Transaction cancelled, please refer cancellation reasons for specific reasons ["};
    constexpr std::size_t kAroundItem = 128;
    std::size_t detail_bytes = 0;
    for (const auto &refusal : refusals) {
        detail_bytes += kAroundItem + (refusal ? refusal->message.size() + refusal->detail.size() : 0);
    }
    error.detail.reserve(detail_bytes);
    error.detail = "\"CancellationReasons\":[";
    for (const auto &refusal : refusals) {
        const bool first = &refusal == &refusals.front();
        const auto code = reason_code(refusal);
        error.message.append(first ? "" : ", ").append(code);
        error.detail.append(first ? "" : ",");
        protocol::JsonWriter out(error.detail);
        out.begin_object();
        out.key("Code");
        out.string(code);
        if (refusal) {
            out.key("Message");
            out.string(refusal->message);
            if (!refusal->detail.empty()) {
                error.detail.append(",").append(refusal->detail);
            }
        }
        out.end_object();
    }
    error.message.append("]");
    error.detail.append("]");
    return error;
}

Error cancellation(std::size_t items, std::size_t position, Error refusal)
{
    engine::Refusals refusals(items);
    refusals[position] = std::move(refusal);
    return cancellation(refusals);
}

} // namespace basalt::operations
