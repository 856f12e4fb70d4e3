#include "operations/whole_item_write.h"

#include "operations/legacy_parameters.h"
#include "operations/request_checks.h"

#include <array>
#include <utility>

namespace basalt::operations {
namespace {

class WholeItemWrite final : public engine::ItemWrite {
public:
    WholeItemWrite(std::optional<model::ItemView> item, model::MapView key, const WholeItemOptions &options,
                   const WriteResponse &response, std::string &body)
        : item_(item),
          key_(key),
          options_(options),
          response_(response),
          body_(body)
    {}

    bool needs_old_item() const override
    {
        return options_.condition.present() || options_.returns_old_item || response_.needs_old_item();
    }

    std::uint32_t cost() const override { return 1 + options_.condition.cost(); }

    Result<engine::ItemChange> evaluate(std::optional<model::ItemView> old_item) override
    {
        if (auto checked = options_.condition.check(old_item); !checked) {
            return fail(std::move(checked).error());
        }
        return engine::ItemChange{item_ ? engine::ItemChange::Kind::put : engine::ItemChange::Kind::remove, item_};
    }

    void accepted(const engine::AcceptedChange &change) override
    {
        std::optional<model::MapView> attributes;
        if (options_.returns_old_item && change.old_item) {
            attributes = change.old_item->attributes();
        }
        response_.write(attributes, change, key_, body_);
    }

private:
    const std::optional<model::ItemView> item_;
    const model::MapView key_;
    const WholeItemOptions &options_;
    const WriteResponse &response_;
    std::string &body_;
};

Result<void> check_styles(const WholeItemRequest &request)
{
    const std::array legacy{NamedParameter{request.expected, "Expected"},
                            NamedParameter{request.conditional_operator, "ConditionalOperator"}};
    const std::array expressions{NamedParameter{request.condition_expression, "ConditionExpression"}};
    return check_parameter_styles(legacy, expressions, request.names, request.values);
}

Result<std::optional<expression::Condition>> condition_of(const WholeItemRequest &request,
                                                          ExpressionParameters &parameters)
{
    auto legacy =
        legacy_condition(request.expected, request.conditional_operator, expression::LegacyParameter::expected);
    if (!legacy) {
        return legacy;
    }
    if (auto opened = parameters.open(request.names, request.values); !opened) {
        return fail(std::move(opened).error());
    }
    auto condition = parameters.condition(request.condition_expression, expression::ExpressionKind::condition);
    if (!condition) {
        return condition;
    }
    if (auto used = parameters.check_all_used(); !used) {
        return fail(std::move(used).error());
    }
    return *condition ? std::move(condition) : std::move(legacy);
}

} // namespace

Result<WholeItemOptions> check_whole_item_request(const WholeItemRequest &request,
                                                  std::optional<std::size_t> limit_bytes,
                                                  ExpressionParameters &parameters)
{
    auto checked = check_styles(request);
    if (checked) {
        checked = check_values(request.attributes);
    }
    if (!checked) {
        return fail(std::move(checked).error());
    }
    auto returns_old_item = wants_old_item(request.return_values);
    if (!returns_old_item) {
        return fail(std::move(returns_old_item).error());
    }
    if (limit_bytes && request.attributes.item().size_bytes() > *limit_bytes) {
        return fail(ErrorCode::validation, "Item size has exceeded the maximum allowed size");
    }
    auto condition = condition_of(request, parameters);
    if (!condition) {
        return fail(std::move(condition).error());
    }
    return WholeItemOptions{make_write_condition(*std::move(condition), request.return_values_on_failure),
                            *returns_old_item};
}

storage::Outcome write_whole_item(const Context &context, storage::Wait wait, const engine::Table &table,
                                  const engine::PrimaryKey &key, std::optional<model::ItemView> item,
                                  const WholeItemRequest &request, const WholeItemOptions &options, std::string &body)
{
    const auto response =
        write_response(table.description, request.return_consumed_capacity, request.return_item_collection_metrics);
    WholeItemWrite write(item, request.attributes.item().attributes(), options, response, body);
    const std::array targets{engine::ItemWriteTarget{table, key, write}};
    return context.engine.write_items(wait, targets);
}

} // namespace basalt::operations
