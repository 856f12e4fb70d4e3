// From the clauses of a key condition to the range of rows that a Query walks.
#pragma once

#include "basalt/result.h"
#include "expression/key_condition.h"
#include "model/item_view.h"
#include "model/table_description.h"
#include "operations/page_request.h"
#include "storage/store.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace basalt::operations {

/// Clauses in the order of the key schema. Points into the clauses that it was made from.
struct KeyCondition {
    std::vector<const expression::KeyClause *> partition; // one for each partition attribute, all of them equalities
    std::vector<const expression::KeyClause *> sort;      // for the first sort attributes; equalities but for the last
};

/// Start key and clauses against the schema, attribute by attribute as the service does: a fault in the start key's
/// part for one attribute comes before one in the clause for it, and that before all of the next attribute. start: the
/// attributes of ExclusiveStartKey, if there is one. Errors (validation): the service's texts.
[[nodiscard]] Result<KeyCondition> bind_key_condition(const std::vector<expression::KeyClause> &clauses,
                                                      const std::optional<model::MapView> &start,
                                                      const PageTarget &target);

/// A starting key must lie where the query would look. start: its parts were checked. Errors (validation).
[[nodiscard]] Result<void> check_start_position(model::MapView start, const KeyCondition &condition,
                                                const PageTarget &target);

/// The scan range of a key condition, with the bytes that it points to. Stays where it is made.
class QueryRange {
public:
    /// keys: the schema that the condition was bound to.
    QueryRange(const KeyCondition &condition, const model::KeySchema &keys);
    QueryRange(const QueryRange &) = delete;
    QueryRange &operator=(const QueryRange &) = delete;

    /// To be completed with direction, start and hint.
    [[nodiscard]] storage::Range &range() { return range_; }

private:
    /// The only sort attribute.
    void set_sort(const expression::KeyClause &clause);
    /// The first of several sort attributes, or all of them.
    void set_sorts(std::span<const expression::KeyClause *const> clauses);

    std::string partition_;
    std::string lower_;
    std::string upper_;
    storage::Range range_;
};

} // namespace basalt::operations
