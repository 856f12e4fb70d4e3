#include "linearizability/planner.h"

#include <algorithm>
#include <numeric>

namespace basalt::linearizability {

std::uint32_t version_name(std::size_t record, std::size_t access)
{
    return static_cast<std::uint32_t>(record * 10 + access + 10);
}

Planner::Planner(SharedLog &log, std::uint32_t client, std::uint64_t seed)
    : log_(log),
      client_(client),
      random_(seed)
{}

std::uint32_t Planner::below(std::uint32_t bound)
{
    return static_cast<std::uint32_t>(random_() % bound);
}

Operation Planner::plain(Kind kind) const
{
    Operation operation;
    operation.client = client_;
    operation.kind = kind;
    operation.padding_bytes = log_.settings().padding_bytes;
    return operation;
}

void Planner::set_condition(Access &access, std::uint32_t percent)
{
    if (!chance(percent)) {
        return;
    }
    const auto recent = log_.recent(access.item).load();
    const auto draw = below(10);
    if (draw < 7 && recent != 0) {
        access.condition = Condition::version_is;
        access.expected = recent;
    } else {
        access.condition = draw == 9 || recent == 0 ? Condition::absent : Condition::exists;
    }
}

Operation Planner::single_write(std::size_t record)
{
    const auto draw = below(10);
    const Kind kind = draw < 5 ? Kind::update : draw < 8 ? Kind::put : Kind::remove;
    Operation operation = plain(kind);
    operation.access_count = 1;
    Access &access = operation.accesses[0];
    access.item = static_cast<std::uint8_t>(below(log_.settings().items));
    access.effect = kind == Kind::update ? Effect::update : kind == Kind::put ? Effect::put : Effect::remove;
    access.written = kind == Kind::remove ? 0 : version_name(record, 0);
    set_condition(access, 50);
    operation.failure_shows_item = chance(50);
    operation.returns = static_cast<Returns>(below(kind == Kind::update ? 5 : 2));
    return operation;
}

void Planner::choose_items(Operation &operation, std::size_t least)
{
    const std::size_t items = log_.settings().items;
    std::array<std::uint8_t, kMostItems> order{};
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::shuffle(order.begin(), order.begin() + items, random_);
    least = std::min(least, items);
    const auto more = static_cast<std::uint32_t>(items - least + 1);
    operation.access_count = static_cast<std::uint8_t>(least + below(more));
    for (std::size_t i = 0; i < operation.access_count; ++i) {
        operation.accesses[i].item = order[i];
    }
}

Operation Planner::transact_write(std::size_t record)
{
    Operation operation = plain(Kind::transact_write);
    choose_items(operation, 1 + below(2));
    for (std::size_t i = 0; i < operation.access_count; ++i) {
        Access &access = operation.accesses[i];
        const auto draw = below(20);
        access.effect = draw < 10   ? Effect::update
                        : draw < 13 ? Effect::put
                        : draw < 15 ? Effect::remove
                                    : Effect::none;
        access.written = access.effect == Effect::put || access.effect == Effect::update ? version_name(record, i) : 0;
        set_condition(access, access.effect == Effect::none ? 100 : 30);
    }
    operation.failure_shows_item = chance(50);
    operation.has_token = chance(60);
    operation.resend = operation.has_token && chance(25);
    return operation;
}

Operation Planner::batch_write(std::size_t record)
{
    Operation operation = plain(Kind::batch_write);
    choose_items(operation, 1);
    operation.access_count = std::min<std::uint8_t>(operation.access_count, 2);
    for (std::size_t i = 0; i < operation.access_count; ++i) {
        Access &access = operation.accesses[i];
        access.effect = below(3) == 0 ? Effect::remove : Effect::put;
        access.written = access.effect == Effect::put ? version_name(record, i) : 0;
    }
    return operation;
}

Operation Planner::several_reads(Kind kind)
{
    Operation operation = plain(kind);
    choose_items(operation, 2);
    return operation;
}

Operation Planner::query(Kind kind) const
{
    Operation operation = plain(kind);
    for (std::uint8_t item = 0; item < log_.settings().items; ++item) {
        if (item != 0 && item != 3) {
            operation.accesses[operation.access_count++].item = item;
        }
    }
    return operation;
}

Operation Planner::next(std::size_t record)
{
    const bool transactions = log_.settings().transactions;
    const auto draw = below(100);
    if (draw < 20) {
        Operation operation = plain(Kind::get);
        operation.access_count = 1;
        operation.accesses[0].item = static_cast<std::uint8_t>(below(log_.settings().items));
        return operation;
    }
    if (draw < 32) {
        constexpr std::array kKinds = {Kind::scan, Kind::query, Kind::index_query, Kind::fetching_query};
        const auto choice = below(kKinds.size() + 1);
        return choice == kKinds.size() ? several_reads(Kind::batch_get) : query(kKinds[choice]);
    }
    if (draw < 36) {
        return batch_write(record);
    }
    if (transactions && draw < 52) {
        return several_reads(Kind::transact_get);
    }
    return transactions && draw < 80 ? transact_write(record) : single_write(record);
}

std::vector<Operation> Planner::read_all() const
{
    std::vector<Operation> out;
    const bool at_once = log_.settings().transactions;
    Operation operation = plain(at_once ? Kind::transact_get : Kind::get);
    for (std::uint8_t item = 0; item < log_.settings().items; ++item) {
        operation.accesses[at_once ? item : 0].item = item;
        operation.access_count = at_once ? static_cast<std::uint8_t>(item + 1) : std::uint8_t{1};
        if (!at_once || item + 1U == log_.settings().items) {
            out.push_back(operation);
        }
    }
    return out;
}

} // namespace basalt::linearizability
