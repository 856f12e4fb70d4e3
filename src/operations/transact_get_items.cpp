// TransactGetItems: up to 100 items as they were at one moment.
#include "operations/consumed_capacity.h"
#include "operations/expression_parameters.h"
#include "operations/item_projection.h"
#include "operations/item_target.h"
#include "operations/operation.h"
#include "operations/request_checks.h"
#include "operations/response_limits.h"
#include "operations/table_writes.h"
#include "operations/transaction_cancellation.h"
#include "protocol/service_members.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace basalt::operations {

namespace members = protocol::transact_get_items_input;

namespace {

/// What the items of one response may have by DynamoDB's size rule.
constexpr std::uint64_t kMaxTransactionBytes = std::uint64_t{4} << 20;

/// One Get. Stays where it is made.
struct TransactedGet {
    TransactedGet(const Context &context, const protocol::Node &get)
        : input(get),
          expressions(context)
    {}

    const protocol::Node &input;
    ExpressionParameters expressions;
    std::optional<expression::Projection> projection;
    engine::TablePtr table;
    engine::PrimaryKey key;
};

using TransactedGets = std::deque<TransactedGet>;

/// Everything that needs no table, Get by Get.
Result<void> check_request(const Context &context, const protocol::Node &transact_items, TransactedGets &gets)
{
    namespace get_members = protocol::get;
    static const protocol::Node kAbsent;
    for (const auto &item : transact_items.elements()) {
        auto &get = gets.emplace_back(context, item[protocol::transact_get_item::get]);
        const ProjectionMembers projection{kAbsent, get.input[get_members::projection_expression],
                                           get.input[get_members::expression_attribute_names]};
        auto checked = check_values(get.input[get_members::key]);
        if (checked) {
            checked = check_projection_styles(projection);
        }
        if (!checked) {
            return checked;
        }
        auto parsed = read_projection(projection, get.expressions);
        if (!parsed) {
            return fail(std::move(parsed).error());
        }
        get.projection = *std::move(parsed);
    }
    return {};
}

/// What the schema says against it is a reason to cancel.
Result<void> check_schema(TransactedGet &get)
{
    const auto &description = get.table->description;
    auto key = engine::key_from_parameter(description.keys, get.input[protocol::get::key].item().attributes());
    if (!key) {
        return fail(std::move(key).error());
    }
    get.key = *std::move(key);
    return get.projection ? check_key_paths(description, *get.projection) : Result<void>();
}

/// Finds tables and keys. Errors: of item_table; validation; transaction_canceled.
Result<void> bind(const Context &context, TransactedGets &gets)
{
    for (auto &get : gets) {
        auto table = item_table(context, get.input[protocol::get::table_name]);
        if (!table) {
            return fail(std::move(table).error());
        }
        get.table = *std::move(table);
        const auto key = get.input[protocol::get::key].item().attributes();
        if (auto checked = engine::check_key_values(get.table->description.keys, key); !checked) {
            return checked;
        }
    }
    for (std::size_t i = 0; i < gets.size(); ++i) {
        if (auto checked = check_schema(gets[i]); !checked) {
            return fail(cancellation(gets.size(), i, std::move(checked).error()));
        }
    }
    std::set<std::tuple<storage::KeyspaceId, std::string_view, std::string_view>> places;
    for (const auto &get : gets) {
        if (!places.emplace(get.table->keyspace(), get.key.partition, get.key.sort).second) {
            return fail(ErrorCode::validation, std::string(kSeveralOperations));
        }
    }
    return {};
}

/// Writes the response as the items are read.
class GetsResponse final : public engine::BatchConsumer {
public:
    GetsResponse(const TransactedGets &gets, CapacityReport report, std::string &body)
        : gets_(gets),
          report_(report),
          body_(body)
    {}

    void restart() override
    {
        body_.clear();
        out_.emplace(body_);
        tables_.clear();
        bytes_ = 0;
        too_large_ = false;
        out_->begin_object();
        out_->key("Responses");
        out_->begin_array();
    }

    bool item(std::size_t position, std::optional<model::ItemView> item) override
    {
        const auto &get = gets_[position];
        const auto size = item ? item->size_bytes() : 0;
        bytes_ += size;
        too_large_ = bytes_ > kMaxTransactionBytes || (position != 0 && body_.size() > kMaxBodyBytes);
        if (too_large_) {
            return false;
        }
        use_of(get.table).capacity.add_table(read_units(size, true));
        out_->begin_object();
        if (item) {
            write_item(get, item->attributes());
        }
        out_->end_object();
        return true;
    }

    [[nodiscard]] bool too_large() const { return too_large_; }

    /// Completes the body once the items are read.
    void finish()
    {
        out_->end_array();
        write_consumed_capacity(*out_, report_, tables_);
        out_->end_object();
    }

private:
    /// A projection that finds nothing leaves Item out.
    void write_item(const TransactedGet &get, model::MapView item)
    {
        if (get.projection) {
            projected_.clear();
            get.projection->append_item(item, projected_);
            item = model::ItemView(projected_).attributes();
        }
        if (!item.empty()) {
            out_->key("Item");
            out_->attributes(item);
        }
    }

    TableWrites &use_of(const engine::TablePtr &table)
    {
        const auto found = std::ranges::find(tables_, table, &TableWrites::table);
        return found != tables_.end()
                   ? *found
                   : tables_.emplace_back(table->description.name, table, CapacityKind::transactional_read);
    }

    const TransactedGets &gets_;
    const CapacityReport report_;
    std::string &body_;
    std::optional<protocol::JsonWriter> out_;
    std::deque<TableWrites> tables_;
    std::uint64_t bytes_ = 0;
    bool too_large_ = false;
    std::string projected_;
};

} // namespace

storage::Outcome transact_get_items(const Context &context, storage::Wait wait, const protocol::Node &input,
                                    std::string &body)
{
    TransactedGets gets;
    if (auto checked = check_request(context, input[members::transact_items], gets); !checked) {
        return reject(std::move(checked).error());
    }
    auto bound = bind(context, gets);
    const auto seen = context.engine.catalog().ticket();
    if (!bound) {
        return reject(std::move(bound).error(), seen);
    }
    std::vector<engine::ItemKey> keys;
    for (const auto &get : gets) {
        keys.push_back({*get.table, get.key});
    }
    GetsResponse response(gets, capacity_report(input[members::return_consumed_capacity]), body);
    auto outcome = context.engine.transact_get_items(wait, keys, response);
    outcome.ticket = std::max(outcome.ticket, seen);
    if (outcome.result && response.too_large()) {
        return reject(ErrorCode::validation, "The aggregate size of the items in the transaction exceeded 4 MB",
                      outcome.ticket);
    }
    if (outcome.result) {
        response.finish();
    }
    return outcome;
}

} // namespace basalt::operations
