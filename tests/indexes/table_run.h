// One table under random writes and index changes, and a model of it.
#pragma once

#include "indexes/connection.h"
#include "indexes/opened_database.h"
#include "indexes/writes.h"

#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>

namespace basalt::indexes {

/// An answer or a state that should not be.
class Fault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws Fault where the service's answers differ from the model's.
class TableRun {
public:
    /// large: more items than a page that fills an index holds. many_indexes: up to 20.
    TableRun(OpenedDatabase &database, Random &random, std::string name, bool large, bool many_indexes);

    /// Makes the table with a random number of indexes, after deleting the one of that name if there is one.
    void create();
    [[nodiscard]] const TableShape &shape() const { return shape_; }
    [[nodiscard]] const Items &items() const { return items_; }
    Items &items() { return items_; }
    [[nodiscard]] Json random_key();
    [[nodiscard]] bool is_large() const { return large_; }

    /// One PutItem, UpdateItem or DeleteItem.
    void write_one();
    void create_or_delete_index();
    /// What DescribeTable says of the indexes has to be true; notes which are active.
    void describe();
    /// Reads an index that may still be filled.
    void read_building();
    /// Of an active index, if there is one.
    void compare_some_partition();
    /// All indexes and the table, after the last one has become active.
    void compare_everything();
    /// The active indexes with those items.
    void compare_indexes(const Items &items);
    void await_active();

private:
    [[nodiscard]] std::string unused_name();
    void create_index();
    void delete_index();
    void fill();
    void expect(bool fine, const Answer &answer, const std::string &what) const;
    void expect_sound(const std::string &problem) const;
    [[nodiscard]] bool change_may_be_refused(const Answer &answer) const;

    OpenedDatabase &database_;
    Random &random_;
    const bool large_;
    const std::size_t most_indexes_;
    TableShape shape_;
    Items items_;
    std::set<std::string> building_; // as far as the test knows
    bool created_ = false;
    bool changing_ = false; // by a transition of the table that the clock has not ended
};

} // namespace basalt::indexes
