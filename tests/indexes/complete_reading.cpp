#include "indexes/complete_reading.h"

#include "indexes/connection.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace basalt::indexes {
namespace {

using Entries = std::vector<Json>;

constexpr std::size_t kMostPages = 10'000;
/// Partitions that are queried of an index that has more of them.
constexpr std::size_t kMostPartitions = 5;

/// What stops a reading: caught where it began.
class Wrong : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

int compare_sort(const IndexShape &index, const Json &left, const Json &right)
{
    for (const auto &attribute : index.range) {
        if (const int order = compare_keys(left.at(attribute.name), right.at(attribute.name)); order != 0) {
            return order;
        }
    }
    return 0;
}

std::string partition_of(const IndexShape &index, const Json &entry)
{
    std::string text;
    for (const auto &attribute : index.hash) {
        text += entry.at(attribute.name).dump() + " ";
    }
    return text;
}

/// All pages of one request, each with as many items as was asked for and a key to go on from.
class Pages {
public:
    Pages(Database &database, Random &random, const TableShape &table, const IndexShape *index)
        : database_(database),
          random_(random),
          table_(table),
          index_(index)
    {}

    /// about: how many entries there are.
    Entries read(const std::string &operation, Json request, std::size_t about)
    {
        request["TableName"] = table_.name;
        if (index_ != nullptr) {
            request["IndexName"] = index_->name;
        }
        Entries entries;
        const auto limit = random_.percent(50) ? 0 : 1 + about / 20 + random_.below(random_.percent(50) ? 5 : 60);
        if (limit > 0) {
            request["Limit"] = limit;
        }
        for (std::size_t page = 0; page < kMostPages; ++page) {
            auto answer = ask(database_, operation, request);
            if (!answer.ok()) {
                throw Wrong(request.dump() + " was answered by " + answer.body.dump());
            }
            auto &items = answer.body.at("Items");
            const bool full = limit > 0 && items.size() == limit;
            entries.insert(entries.end(), items.begin(), items.end());
            if (!answer.body.contains("LastEvaluatedKey")) {
                if (full) {
                    throw Wrong("a full page without a LastEvaluatedKey for " + request.dump());
                }
                return entries;
            }
            if (items.empty() || answer.body.at("LastEvaluatedKey") != place_of(items.back())) {
                throw Wrong("not the last item's LastEvaluatedKey: " + answer.body.dump());
            }
            request["ExclusiveStartKey"] = answer.body.at("LastEvaluatedKey");
        }
        throw Wrong("pages without end for " + request.dump());
    }

private:
    [[nodiscard]] Json place_of(const Json &item) const
    {
        Json key = table_.key_of(item);
        if (index_ != nullptr) {
            for (const auto &attribute : index_->keys()) {
                key[attribute.name] = item.at(attribute.name);
            }
        }
        return key;
    }

    Database &database_;
    Random &random_;
    const TableShape &table_;
    const IndexShape *index_; // null: the table
};

using Keyed = std::vector<std::pair<std::string, const Json *>>;

/// In one order, whatever order they came in.
Keyed by_key(const TableShape &table, const Entries &entries)
{
    Keyed keyed;
    keyed.reserve(entries.size());
    for (const auto &entry : entries) {
        std::string key;
        for (const auto &attribute : table.keys) {
            key += entry.at(attribute.name).begin()->get_ref<const std::string &>() + " ";
        }
        keyed.emplace_back(std::move(key), &entry);
    }
    std::sort(keyed.begin(), keyed.end());
    return keyed;
}

std::string differences(const Entries &list, const Entries &other)
{
    std::string text;
    for (const auto &entry : list) {
        if (std::count(list.begin(), list.end(), entry) > std::count(other.begin(), other.end(), entry)) {
            text += "\n    " + entry.dump();
        }
    }
    return text;
}

void expect_same(const TableShape &table, const Entries &expected, const Entries &found, const std::string &what)
{
    const auto left = by_key(table, expected);
    const auto right = by_key(table, found);
    const bool same = std::equal(left.begin(), left.end(), right.begin(), right.end(),
                                 [](const auto &a, const auto &b) { return *a.second == *b.second; });
    if (!same) {
        throw Wrong(what + "\n  lacks:" + differences(expected, found) +
                    "\n  has too much:" + differences(found, expected));
    }
}

class IndexComparison {
public:
    IndexComparison(Database &database, Random &random, const TableShape &table, const IndexShape &index,
                    const Items &items)
        : random_(random),
          table_(table),
          index_(index),
          pages_(database, random, table, &index)
    {
        for (const auto &[key, item] : items) {
            if (auto entry = entry_of(table, index, item)) {
                partitions_[partition_of(index, *entry)].push_back(*entry);
                all_.push_back(std::move(*entry));
            }
        }
    }

    void scan()
    {
        Entries found;
        const auto segments = random_.percent(70) ? 0 : 2 + random_.below(4);
        for (std::size_t segment = 0; segment < std::max<std::size_t>(segments, 1); ++segment) {
            Json request = Json::object();
            if (segments > 0) {
                request = {{"Segment", segment}, {"TotalSegments", segments}};
            }
            const auto part = pages_.read("Scan", request, all_.size());
            expect_whole_partitions(part);
            found.insert(found.end(), part.begin(), part.end());
        }
        expect_same(table_, all_, found, "Scan");
    }

    void query_partitions()
    {
        std::vector<std::string> names;
        for (const auto &[name, entries] : partitions_) {
            names.push_back(name);
        }
        for (std::size_t i = 0; i < std::min(names.size(), kMostPartitions); ++i) {
            std::swap(names[i], names[i + random_.below(names.size() - i)]);
            query(partitions_.at(names[i]));
        }
        query_absent();
    }

    void query_one()
    {
        if (partitions_.empty()) {
            query_absent();
            return;
        }
        query(std::next(partitions_.begin(), static_cast<std::ptrdiff_t>(random_.below(partitions_.size())))->second);
    }

private:
    /// In a Scan the entries of a partition stand together and in order.
    void expect_whole_partitions(const Entries &found) const
    {
        std::map<std::string, std::size_t> ended;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const auto partition = partition_of(index_, found[i]);
            if (i > 0 && partition_of(index_, found[i - 1]) == partition) {
                if (compare_sort(index_, found[i - 1], found[i]) > 0) {
                    throw Wrong("Scan: " + found[i - 1].dump() + " stands before " + found[i].dump());
                }
            } else if (!ended.emplace(partition, i).second) {
                throw Wrong("Scan: partition " + partition + "stands in two places");
            }
        }
    }

    static void add_equality(Json &request, const std::string &name, const Json &value)
    {
        auto &values = request["ExpressionAttributeValues"];
        const auto place = std::to_string(values.size());
        request["ExpressionAttributeNames"]["#a" + place] = name;
        values[":v" + place] = value;
        auto &text = request["KeyConditionExpression"];
        text = (text.is_null() ? "" : text.get<std::string>() + " AND ") + "#a" + place + " = :v" + place;
    }

    Json partition_request(const Json &entry) const
    {
        Json request{{"ExpressionAttributeValues", Json::object()}};
        for (const auto &attribute : index_.hash) {
            add_equality(request, attribute.name, entry.at(attribute.name));
        }
        return request;
    }

    void query(const Entries &partition)
    {
        const auto request = partition_request(partition.front());
        auto forwards = expect_query(request, partition, true);
        std::reverse(forwards.begin(), forwards.end());
        if (expect_query(request, partition, false) != forwards) {
            throw Wrong("Query: backwards is another order for " + request.dump());
        }
        if (!index_.range.empty()) {
            query_range(partition);
        }
    }

    /// Equalities on some first attributes of the sort key, perhaps a comparison of the next.
    void query_range(const Entries &partition)
    {
        const Json pivot = random_.one_of(partition);
        auto request = partition_request(pivot);
        const auto equal = random_.below(index_.range.size() + 1);
        for (std::size_t i = 0; i < equal; ++i) {
            add_equality(request, index_.range[i].name, pivot.at(index_.range[i].name));
        }
        static const std::vector<std::string> kComparisons{"<", "<=", ">", ">="};
        const auto comparison = equal < index_.range.size() ? random_.one_of(kComparisons) : "";
        if (!comparison.empty()) {
            const auto &name = index_.range[equal].name;
            request["ExpressionAttributeNames"]["#last"] = name;
            request["ExpressionAttributeValues"][":last"] = pivot.at(name);
            request["KeyConditionExpression"] =
                request["KeyConditionExpression"].get<std::string>() + " AND #last " + comparison + " :last";
        }
        Entries expected;
        for (const auto &entry : partition) {
            if (meets(entry, pivot, equal, comparison)) {
                expected.push_back(entry);
            }
        }
        expect_query(request, expected, random_.percent(50));
    }

    [[nodiscard]] bool meets(const Json &entry, const Json &pivot, std::size_t equal,
                             const std::string &comparison) const
    {
        for (std::size_t i = 0; i < equal; ++i) {
            const auto &name = index_.range[i].name;
            if (compare_keys(entry.at(name), pivot.at(name)) != 0) {
                return false;
            }
        }
        if (comparison.empty()) {
            return true;
        }
        const auto &name = index_.range[equal].name;
        const int order = compare_keys(entry.at(name), pivot.at(name));
        return (order < 0 && comparison[0] == '<') || (order > 0 && comparison[0] == '>') ||
               (order == 0 && comparison.size() == 2);
    }

    void query_absent()
    {
        Json request{{"ExpressionAttributeValues", Json::object()}};
        for (const auto &attribute : index_.hash) {
            const Json absent = attribute.type == "S"   ? Json{{"S", "absent"}}
                                : attribute.type == "N" ? Json{{"N", "404"}}
                                                        : Json{{"B", "YWJzZW50"}};
            add_equality(request, attribute.name, absent);
        }
        expect_query(request, {}, true);
    }

    Entries expect_query(Json request, const Entries &expected, bool forwards)
    {
        if (!forwards || random_.percent(30)) {
            request["ScanIndexForward"] = forwards;
        }
        auto found = pages_.read("Query", request, expected.size());
        expect_same(table_, expected, found, "Query " + request.dump());
        for (std::size_t i = 1; i < found.size(); ++i) {
            const int order = compare_sort(index_, found[i - 1], found[i]);
            if (forwards ? order > 0 : order < 0) {
                throw Wrong("Query " + request.dump() + ": " + found[i - 1].dump() + " stands before " +
                            found[i].dump());
            }
        }
        return found;
    }

    Random &random_;
    const TableShape &table_;
    const IndexShape &index_;
    Pages pages_;
    std::map<std::string, Entries> partitions_;
    Entries all_;
};

template <typename Function>
std::string problem_of(const std::string &what, Function function)
{
    try {
        function();
    } catch (const Wrong &wrong) {
        return what + ": " + wrong.what();
    }
    return {};
}

} // namespace

std::string compare_index(Database &database, Random &random, const TableShape &table, const IndexShape &index,
                          const Items &items)
{
    return problem_of("index " + index.name + " of " + table.name, [&] {
        IndexComparison comparison(database, random, table, index, items);
        comparison.scan();
        comparison.query_partitions();
    });
}

std::string compare_partition(Database &database, Random &random, const TableShape &table, const IndexShape &index,
                              const Items &items)
{
    return problem_of("index " + index.name + " of " + table.name,
                      [&] { IndexComparison(database, random, table, index, items).query_one(); });
}

std::string compare_table(Database &database, Random &random, const TableShape &table, const Items &items)
{
    return problem_of("table " + table.name, [&] {
        Entries expected;
        for (const auto &[key, item] : items) {
            expected.push_back(item);
        }
        const auto found =
            Pages(database, random, table, nullptr).read("Scan", {{"ConsistentRead", true}}, items.size());
        expect_same(table, expected, found, "Scan");
    });
}

} // namespace basalt::indexes
