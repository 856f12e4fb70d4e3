// BatchGetItem: up to 100 items by their keys, of any tables.
#include "model/limits.h"
#include "operations/consumed_capacity.h"
#include "operations/expression_parameters.h"
#include "operations/item_projection.h"
#include "operations/item_target.h"
#include "operations/operation.h"
#include "operations/request_checks.h"
#include "operations/response_limits.h"
#include "protocol/json_writer.h"
#include "protocol/service_members.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace basalt::operations {

namespace members = protocol::batch_get_item_input;

namespace {

constexpr std::size_t kMaxBatchKeys = 100;
/// What the items of one response may have by DynamoDB's size rule.
constexpr std::uint64_t kMaxBatchBytes = std::uint64_t{16} << 20;

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}

/// What is asked of one table. Stays where it is made.
struct TableRequest {
    TableRequest(const Context &context, const protocol::NodeEntry &entry)
        : name(entry.key),
          input(entry.value),
          expressions(context)
    {}

    [[nodiscard]] std::span<const protocol::Node> key_nodes() const
    {
        return input[protocol::keys_and_attributes::keys].elements();
    }
    [[nodiscard]] bool consistent() const
    {
        return input[protocol::keys_and_attributes::consistent_read].boolean_or(false);
    }

    std::string_view name; // as sent: name or ARN
    const protocol::Node &input;
    ExpressionParameters expressions;
    std::optional<expression::Projection> projection;
    engine::TablePtr table;
    std::vector<engine::PrimaryKey> keys;
};

using TableRequests = std::deque<TableRequest>;

/// The same text for two keys with the same attributes, numbers written in the same way.
std::string comparable(const protocol::Node &node)
{
    const auto key = node.item().attributes();
    std::vector<model::Attribute> attributes;
    for (const auto attribute : key) {
        attributes.push_back(attribute);
    }
    std::ranges::sort(attributes, {}, &model::Attribute::name);
    std::string text = std::to_string(node.number_spelling());
    for (const auto &attribute : attributes) {
        text.append(" ").append(std::to_string(attribute.name.size())).append(":").append(attribute.name);
        text.append(std::to_string(attribute.value.bytes().size())).append(":").append(attribute.value.bytes());
    }
    return text;
}

/// count: keys so far in the whole request.
Result<void> check_keys(std::span<const protocol::Node> keys, std::size_t &count)
{
    std::unordered_set<std::string> seen;
    for (const auto &key : keys) {
        if (auto checked = check_values(key); !checked) {
            return checked;
        }
        if (!seen.insert(comparable(key)).second) {
            return invalid("Provided list of item keys contains duplicates");
        }
        if (++count > kMaxBatchKeys) {
            return invalid("Too many items requested for the BatchGetItem call");
        }
    }
    return {};
}

/// Everything that needs no table, table by table in the service's order.
Result<void> check_request(const Context &context, const protocol::Node &request_items, TableRequests &requests)
{
    namespace table_members = protocol::keys_and_attributes;
    if (request_items.entries().empty()) {
        return invalid("The requestItems parameter is required for BatchGetItem");
    }
    std::size_t count = 0;
    for (const auto &entry : request_items.entries()) {
        auto &request = requests.emplace_back(context, entry);
        const ProjectionMembers members{entry.value[table_members::attributes_to_get],
                                        entry.value[table_members::projection_expression],
                                        entry.value[table_members::expression_attribute_names]};
        if (auto checked = check_projection_styles(members); !checked) {
            return checked;
        }
        auto projection = read_projection(members, request.expressions);
        if (!projection) {
            return fail(std::move(projection).error());
        }
        request.projection = *std::move(projection);
        if (auto checked = check_keys(request.key_nodes(), count); !checked) {
            return checked;
        }
    }
    return {};
}

/// Looks up the table and makes the keys.
Result<void> prepare(const Context &context, TableRequest &request)
{
    auto table = item_table(context, request.name);
    if (!table) {
        return fail(std::move(table).error());
    }
    request.table = *std::move(table);
    const auto &description = request.table->description;
    request.keys.reserve(request.key_nodes().size());
    for (const auto &node : request.key_nodes()) {
        auto key = engine::key_from_parameter(description.keys, node.item().attributes());
        if (!key) {
            return fail(std::move(key).error());
        }
        request.keys.push_back(*std::move(key));
    }
    return request.projection ? check_key_paths(description, *request.projection) : Result<void>();
}

/// Collects the items into the response's JSON, whose tables stand in the order of the request.
class BatchResponse final : public engine::BatchConsumer {
public:
    BatchResponse(const TableRequests &requests, CapacityReport report, std::string &body)
        : requests_(requests),
          report_(report),
          body_(body)
    {}

    void restart() override
    {
        body_.clear();
        out_.emplace(body_);
        capacities_.clear();
        first_of_table_ = 0;
        processed_ = 0;
        bytes_ = 0;
        out_->begin_object();
        out_->key("Responses");
        out_->begin_object();
        begin_table();
    }

    bool item(std::size_t position, std::optional<model::ItemView> item) override
    {
        const auto size = item ? item->size_bytes() : 0;
        if (bytes_ + size > kMaxBatchBytes || (processed_ != 0 && body_.size() > kMaxBodyBytes)) {
            return false;
        }
        bytes_ += size;
        while (position >= first_of_table_ + request().keys.size()) {
            end_table();
            begin_table();
        }
        capacities_.back().add_table(read_units(size, request().consistent()));
        if (item) {
            write_projected(*out_, item->attributes(), request().projection, projected_);
        }
        processed_ = position + 1;
        return true;
    }

    /// Completes the body once the items are read.
    void finish()
    {
        end_table();
        while (capacities_.size() < requests_.size()) {
            begin_table();
            end_table();
        }
        out_->end_object();
        write_unprocessed();
        if (report_ != CapacityReport::none) {
            out_->key("ConsumedCapacity");
            out_->begin_array();
            for (const auto &use : capacities_) {
                use.write(*out_, report_);
            }
            out_->end_array();
        }
        out_->end_object();
    }

private:
    /// The table that is being written.
    [[nodiscard]] const TableRequest &request() const { return requests_[capacities_.size() - 1]; }

    void begin_table()
    {
        capacities_.emplace_back(requests_[capacities_.size()].table->description);
        out_->key(request().name);
        out_->begin_array();
    }

    void end_table()
    {
        first_of_table_ += request().keys.size();
        out_->end_array();
    }

    void write_unprocessed()
    {
        out_->key("UnprocessedKeys");
        out_->begin_object();
        std::size_t first = 0;
        for (const auto &request : requests_) {
            const auto end = first + request.keys.size();
            if (processed_ < end) {
                out_->key(request.name);
                write_rest(request, std::max(processed_, first) - first);
            }
            first = end;
        }
        out_->end_object();
    }

    /// The table's part of the request from that key on, so that it can be sent again.
    void write_rest(const TableRequest &request, std::size_t first)
    {
        namespace table_members = protocol::keys_and_attributes;
        out_->begin_object();
        out_->key("Keys");
        out_->begin_array();
        for (const auto &key : request.key_nodes().subspan(first)) {
            out_->attributes(key.item().attributes());
        }
        out_->end_array();
        if (const auto &names = request.input[table_members::attributes_to_get]; names.present()) {
            out_->key("AttributesToGet");
            out_->begin_array();
            for (const auto &name : names.elements()) {
                out_->string(name.text());
            }
            out_->end_array();
        }
        if (const auto &expression = request.input[table_members::projection_expression]; expression.present()) {
            out_->key("ProjectionExpression");
            out_->string(expression.text());
        }
        if (const auto &names = request.input[table_members::expression_attribute_names]; names.present()) {
            out_->key("ExpressionAttributeNames");
            out_->begin_object();
            for (const auto &name : names.entries()) {
                out_->key(name.key);
                out_->string(name.value.text());
            }
            out_->end_object();
        }
        if (request.input[table_members::consistent_read].present()) {
            out_->key("ConsistentRead");
            out_->boolean(request.consistent());
        }
        out_->end_object();
    }

    const TableRequests &requests_;
    const CapacityReport report_;
    std::string &body_;
    std::optional<protocol::JsonWriter> out_;
    std::vector<CapacityUse> capacities_; // of the tables begun
    std::size_t first_of_table_ = 0;      // position of its first key in the request
    std::size_t processed_ = 0;           // keys
    std::uint64_t bytes_ = 0;
    std::string projected_;
};

} // namespace

storage::Outcome batch_get_item(const Context &context, storage::Wait wait, const protocol::Node &input,
                                std::string &body)
{
    TableRequests requests;
    if (auto checked = check_request(context, input[members::request_items], requests); !checked) {
        return reject(std::move(checked).error());
    }
    std::vector<engine::ItemKey> keys;
    auto consistency = storage::Consistency::eventual;
    for (auto &request : requests) {
        auto prepared = prepare(context, request);
        if (!prepared) {
            return reject(std::move(prepared).error(), context.engine.catalog().ticket());
        }
        for (const auto &key : request.keys) {
            keys.push_back({*request.table, key});
        }
        if (request.consistent()) {
            consistency = storage::Consistency::strong;
        }
    }
    const auto seen = context.engine.catalog().ticket();
    BatchResponse response(requests, capacity_report(input[members::return_consumed_capacity]), body);
    auto outcome = context.engine.get_items(wait, keys, consistency, response);
    if (outcome.result) {
        response.finish();
    }
    outcome.ticket = std::max(outcome.ticket, seen);
    return outcome;
}

} // namespace basalt::operations
