// BatchWriteItem: up to 25 puts and deletes over several tables. They are committed together, so that nothing is left
// unprocessed.
#include "model/limits.h"
#include "operations/item_target.h"
#include "operations/operation.h"
#include "operations/request_checks.h"
#include "operations/single_write.h"
#include "operations/table_writes.h"
#include "protocol/service_members.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace basalt::operations {

namespace members = protocol::batch_write_item_input;

namespace {

constexpr std::size_t kMaxRequests = 25;

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}

const protocol::Node &item_of(const protocol::Node &request)
{
    return request[protocol::write_request::put_request][protocol::put_request::item];
}

const protocol::Node &key_of(const protocol::Node &request)
{
    return request[protocol::write_request::delete_request][protocol::delete_request::key];
}

Result<void> check_one(const protocol::Node &request)
{
    const auto &item = item_of(request);
    if (auto checked = check_values(item.present() ? item : key_of(request)); !checked) {
        return checked;
    }
    if (item.present() && item.item().size_bytes() > model::kMaxItemBytes) {
        return invalid("Item size has exceeded the maximum allowed size");
    }
    return {};
}

/// Everything that needs no table, in the service's order.
Result<void> check_request(const protocol::Node &request_items)
{
    if (request_items.entries().empty()) {
        return invalid("The requestItems parameter is required for BatchWriteItem");
    }
    std::size_t count = 0;
    for (const auto &entry : request_items.entries()) {
        for (const auto &request : entry.value.elements()) {
            if (request[protocol::write_request::put_request].present() ==
                request[protocol::write_request::delete_request].present()) {
                return invalid("Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
                               "the supported datatypes");
            }
        }
        for (const auto &request : entry.value.elements()) {
            if (auto checked = check_one(request); !checked) {
                return checked;
            }
        }
        count += entry.value.elements().size();
    }
    if (count > kMaxRequests) {
        return invalid("Too many items requested for the BatchWriteItem call");
    }
    return {};
}

class BatchedWrite final : public engine::ItemWrite {
public:
    BatchedWrite(TableWrites &table, std::optional<model::ItemView> item, model::MapView key, bool needs_old_item,
                 bool first)
        : table_(table),
          item_(item),
          key_(key),
          needs_old_item_(needs_old_item),
          first_(first)
    {}

    bool needs_old_item() const override { return needs_old_item_; }

    Result<engine::ItemChange> evaluate(std::optional<model::ItemView> /*old_item*/) override
    {
        if (first_) {
            table_.restart();
        }
        return engine::ItemChange{item_ ? engine::ItemChange::Kind::put : engine::ItemChange::Kind::remove, item_};
    }

    void accepted(const engine::AcceptedChange &change) override
    {
        if (needs_old_item_) {
            table_.capacity.add_write(change.old_item, change.new_item);
        }
        if (!table_.table->description.local_indexes.empty()) {
            table_.add_collection(key_, change.collection_bytes);
        }
    }

private:
    TableWrites &table_;
    const std::optional<model::ItemView> item_;
    const model::MapView key_;
    const bool needs_old_item_;
    const bool first_; // of its table
};

/// A put says of a key what a Key parameter would; PutItem words it differently.
Result<engine::PrimaryKey> key_of_put(const model::TableDescription &table, model::ItemView item)
{
    const auto attributes = item.attributes();
    for (const auto *elements : {&table.keys.hash, &table.keys.range}) {
        for (const auto &element : *elements) {
            const auto value = attributes.find(element.name);
            if (!value || value->type() != element.type) {
                return invalid("The provided key element does not match the schema");
            }
        }
    }
    auto key = engine::key_from_item(table.keys, attributes);
    if (!key) {
        return key;
    }
    auto checked = engine::check_index_keys(table, attributes);
    if (checked) {
        checked = check_fits(table, item, "Item size has exceeded the maximum allowed size");
    }
    if (!checked) {
        return fail(std::move(checked).error());
    }
    return key;
}

/// The whole request against its tables. Deques: what they hold is referred to.
class Batch {
public:
    explicit Batch(CapacityReport report)
        : report_(report)
    {}

    Result<void> add_table(const Context &context, const protocol::NodeEntry &entry)
    {
        auto table = item_table(context, entry.key);
        if (!table) {
            return fail(std::move(table).error());
        }
        auto &added = tables_.emplace_back(entry.key, *table, CapacityKind::plain);
        bool first = true;
        for (const auto &request : entry.value.elements()) {
            if (auto done = add_write(added, request, std::exchange(first, false)); !done) {
                return done;
            }
        }
        return {};
    }

    storage::Outcome run(const Context &context, storage::Wait wait)
    {
        std::vector<engine::ItemWriteTarget> targets;
        targets.reserve(writes_.size());
        for (std::size_t i = 0; i < writes_.size(); ++i) {
            targets.push_back({*owners_[i]->table, keys_[i], writes_[i]});
        }
        return context.engine.write_items(wait, targets);
    }

    void write_response(const protocol::Node &return_item_collection_metrics, std::string &body) const
    {
        body.clear();
        protocol::JsonWriter out(body);
        out.begin_object();
        out.key("UnprocessedItems");
        out.begin_object();
        out.end_object();
        write_consumed_capacity(out, report_, tables_);
        write_collection_metrics(out, return_item_collection_metrics, tables_);
        out.end_object();
    }

private:
    Result<void> add_write(TableWrites &table, const protocol::Node &request, bool first)
    {
        const auto &description = table.table->description;
        const auto &item = item_of(request);
        const auto attributes = item.present() ? item.item() : key_of(request).item();
        auto key = item.present() ? key_of_put(description, attributes)
                                  : engine::key_from_parameter(description.keys, attributes.attributes());
        if (!key) {
            return fail(std::move(key).error());
        }
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            if (owners_[i]->table->keyspace() == table.table->keyspace() && keys_[i].partition == key->partition &&
                keys_[i].sort == key->sort) {
                return invalid("Provided list of item keys contains duplicates");
            }
        }
        keys_.push_back(std::move(*key));
        owners_.push_back(&table);
        writes_.emplace_back(table, item.present() ? std::optional(attributes) : std::nullopt, attributes.attributes(),
                             report_ != CapacityReport::none, first);
        return {};
    }

    const CapacityReport report_;
    std::deque<TableWrites> tables_;
    std::deque<engine::PrimaryKey> keys_;
    std::deque<BatchedWrite> writes_;
    std::vector<TableWrites *> owners_;
};

} // namespace

storage::Outcome batch_write_item(const Context &context, storage::Wait wait, const protocol::Node &input,
                                  std::string &body)
{
    const auto &request_items = input[members::request_items];
    if (auto checked = check_request(request_items); !checked) {
        return reject(std::move(checked).error());
    }
    Batch batch(capacity_report(input[members::return_consumed_capacity]));
    for (const auto &entry : request_items.entries()) {
        if (auto added = batch.add_table(context, entry); !added) {
            return reject(std::move(added).error(), context.engine.catalog().ticket());
        }
    }
    const auto seen = context.engine.catalog().ticket();
    auto outcome = batch.run(context, wait);
    if (outcome.result) {
        batch.write_response(input[members::return_item_collection_metrics], body);
    }
    outcome.ticket = std::max(outcome.ticket, seen);
    return outcome;
}

} // namespace basalt::operations
