// Random writes to one table: the requests that carry them, and what they make of the items.
#pragma once

#include "indexes/shapes.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace basalt::indexes {

/// By the text of their keys.
using Items = std::map<std::string, Json>;

struct Condition {
    enum class Kind : std::uint8_t { none, exists, not_exists, equals };
    Kind kind = Kind::none;
    std::string attribute = {};
    Json value = {};
};

struct Write {
    enum class Kind : std::uint8_t { put, update, remove, check };
    Kind kind = Kind::put;
    Json key;
    Json attributes = Json::object(); // put: all but the key; update: what is set
    std::vector<std::string> removed = {};
    Condition condition = {};
};

/// How often writes are unlikely to succeed.
struct Habits {
    std::size_t condition_percent = 20;
    std::size_t illegal_percent = 8; // values that the indexes of the table refuse
};

/// The values are such that the table's indexes accept them, mostly.
[[nodiscard]] Write random_write(Random &random, const TableShape &table, const Json &key, const Habits &habits = {});
/// Only what a BatchWriteItem can hold: puts and deletes without conditions.
[[nodiscard]] Write random_batch_write(Random &random, const TableShape &table, const Json &key,
                                       const Habits &habits = {});

/// "PutItem", for a check none.
[[nodiscard]] std::string operation_of(const Write &write);
/// The input of that operation.
[[nodiscard]] Json request_of(const TableShape &table, const Write &write);
/// One element of TransactItems.
[[nodiscard]] Json transacted(const TableShape &table, const Write &write);
/// One element of a table's list in RequestItems.
[[nodiscard]] Json batched(const Write &write);

/// As far as the request alone tells.
[[nodiscard]] bool is_legal(const TableShape &table, const Write &write);
/// Whether a legal write leaves the sort keys that it touches short enough for their indexes.
[[nodiscard]] bool fits(const TableShape &table, const Write &write, const Items &items);
[[nodiscard]] bool is_met(const Condition &condition, const Items &items, const Json &key);
void apply(const Write &write, Items &items);

} // namespace basalt::indexes
