// What an operation is: a descriptor with what cross-cutting code needs, and a function that runs one attempt.
#pragma once

#include "basalt/options.h"
#include "engine/engine.h"
#include "expression/syntax_cache.h"
#include "protocol/document.h"
#include "storage/store.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace basalt::operations {

/// What a handler works with. Lives as long as the database.
struct Context {
    engine::Engine &engine;
    expression::SyntaxCache &expressions;
    std::string region;
    std::string account_id;
};

/// One attempt. input: decoded, with all model constraints holding. On success body holds the response's JSON; on
/// would_block nothing has happened and the attempt may be made again with Wait::allowed. The outcome's ticket covers
/// everything that body or error tells. Thread-safe, no state of its own.
using Handler = storage::Outcome (*)(const Context &context, storage::Wait wait, const protocol::Node &input,
                                     std::string &body);

struct Operation;

/// What is refused before the model constraints are looked at. input: decoded, nothing else is known of it.
using FirstCheck = Result<void> (*)(const Context &context, const Operation &operation, const protocol::Node &input);

/// Before the first attempt of a read: what it waits for, so that it sees every write that was answered before;
/// nothing: it can go on. input: with all model constraints holding.
using AwaitedPosition = std::optional<engine::IndexPosition> (*)(const Context &context, const protocol::Node &input);

enum class Access : std::uint8_t { read, write };
enum class Resource : std::uint8_t { none, table, item };

struct Operation {
    std::string_view target; // value of X-Amz-Target
    std::string_view action; // name for policies and metrics
    Access access;
    Resource resource;
    Handler run;
    FirstCheck first_check = nullptr;  // null: nothing
    AwaitedPosition awaited = nullptr; // null: nothing
};

/// The operations that exist, sorted by target.
[[nodiscard]] std::span<const Operation> registry() noexcept;
/// Null: not built yet, or no such operation.
[[nodiscard]] const Operation *find_operation(std::string_view target) noexcept;

/// A handler's answer to a bad request.
[[nodiscard]] inline storage::Outcome reject(Error error, storage::Ticket ticket = {})
{
    return {fail(std::move(error)), ticket};
}
[[nodiscard]] inline storage::Outcome reject(ErrorCode code, std::string message, storage::Ticket ticket = {})
{
    return {fail(code, std::move(message)), ticket};
}

/// Of Query and Scan: the position of the global index that they name.
std::optional<engine::IndexPosition> awaited_by_query(const Context &, const protocol::Node &);
std::optional<engine::IndexPosition> awaited_by_scan(const Context &, const protocol::Node &);

// The handlers, one file each.
storage::Outcome batch_get_item(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome batch_write_item(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome create_table(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome delete_item(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome delete_table(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome describe_endpoints(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome describe_limits(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome describe_table(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome get_item(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome list_tables(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome list_tags_of_resource(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome put_item(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome query(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome scan(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome tag_resource(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome transact_get_items(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome transact_write_items(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome untag_resource(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome update_item(const Context &, storage::Wait, const protocol::Node &, std::string &);
storage::Outcome update_table(const Context &, storage::Wait, const protocol::Node &, std::string &);

} // namespace basalt::operations
