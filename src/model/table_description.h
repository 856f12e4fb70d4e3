// What a table is: keys, indexes, billing and the settings that DescribeTable shows. A plain value; the catalog stores
// it encoded (codec/table_encoding.h) and publishes it unchanged.
#pragma once

#include "model/item_view.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace basalt::model {

struct AttributeDefinition {
    std::string name;
    AttributeType type = AttributeType::string; // string, number or binary
};

/// One key attribute with the type that AttributeDefinitions gives it.
struct KeyElement {
    std::string name;
    AttributeType type = AttributeType::string;
};

/// A table and a local index have one hash element and at most one range element; a global index has 1 to 4 and 0 to 4.
struct KeySchema {
    std::vector<KeyElement> hash;
    std::vector<KeyElement> range;
};

enum class BillingMode : std::uint8_t { provisioned, pay_per_request };
enum class ProjectionType : std::uint8_t { all, keys_only, include };

/// Read and write units a second; -1: not set.
struct Units {
    std::int64_t read = -1;
    std::int64_t write = -1;
};

/// When provisioned units last changed; 0: never.
struct ThroughputChanges {
    std::int64_t last_increase_ms = 0;
    std::int64_t last_decrease_ms = 0;
    /// Decreases on the UTC day of last_decrease_ms.
    std::int64_t decreases = 0;
};

struct IndexDescription {
    std::string name;
    KeySchema keys;
    ProjectionType projection = ProjectionType::all;
    std::vector<std::string> non_key_attributes; // sorted
    std::uint32_t keyspace = 0;
    // Global indexes only.
    Units provisioned{0, 0};
    std::optional<Units> on_demand = {};
    std::optional<Units> warm = {};
    ThroughputChanges changes = {};
    /// The entries of items that were there before the index are still being written; it cannot be read.
    bool building = false;
    /// Only in deleted_indexes: shown as DELETING until then.
    std::int64_t gone_from_ms = 0;
};

struct Tag {
    std::string key;
    std::string value;
};

struct TableDescription {
    std::string name;
    std::string id; // UUID
    std::uint32_t keyspace = 0;
    /// The sizes of item collections; 0: the table has no local indexes.
    std::uint32_t collections_keyspace = 0;
    /// The change log; 0: nothing needs one.
    std::uint32_t log_keyspace = 0;
    std::vector<AttributeDefinition> attributes; // sorted by name
    KeySchema keys;
    std::vector<IndexDescription> local_indexes;
    std::vector<IndexDescription> global_indexes;
    /// Global indexes that exist no more and are shown for a while.
    std::vector<IndexDescription> deleted_indexes;

    BillingMode billing_mode = BillingMode::provisioned;
    /// BillingModeSummary is shown: the request named a mode other than the default.
    bool billing_mode_shown = false;
    Units provisioned{0, 0};
    std::optional<Units> on_demand = {};
    std::optional<Units> warm = {};
    ThroughputChanges changes = {};
    /// When the table last became PAY_PER_REQUEST; 0: as it was created, or not at all.
    std::int64_t on_demand_from_ms = 0;

    std::int64_t created_ms = 0;
    /// CREATING before this time.
    std::int64_t active_from_ms = 0;
    /// UPDATING before this time; 0: not.
    std::int64_t updated_from_ms = 0;
    /// DELETING until this time, then gone; 0: not being deleted.
    std::int64_t gone_from_ms = 0;

    bool deletion_protection = false;
    std::string stream_view_type;     // empty: no stream
    std::int64_t stream_since_ms = 0; // the stream's label
    std::string table_class;          // empty: never set
    bool sse_kms = false;
    std::string sse_key_arn;
    std::vector<Tag> tags;
    std::string resource_policy;
};

} // namespace basalt::model
