// Scans against a model: every kind of range, both directions, page by page, over random rows with awkward keys.
#include "contract/backends.h"
#include "contract/calls.h"

#include <algorithm>
#include <map>
#include <random>

namespace basalt::storage {
namespace {

using namespace std::string_literals;

using Ranges = StoreContract;
INSTANTIATE_TEST_SUITE_P(Backends, Ranges, testing::ValuesIn(all_backends()), backend_name);

using Model = std::map<OwnedKey, std::string>;

std::vector<std::string> numbers(int first, int last)
{
    std::vector<std::string> out;
    for (int i = first; first <= last ? i <= last : i >= last; i += first <= last ? 1 : -1) {
        out.push_back(std::to_string(i));
    }
    return out;
}

/// Partition "p" with sort keys "0".."9", each the value, and neighbours that no scan of it may show.
class OnePartition : public StoreContract {
protected:
    void SetUp() override
    {
        StoreContract::SetUp();
        keyspace_ = create_keyspace(*store_);
        const KeyspaceId next = create_keyspace(*store_);
        for (const std::string &sort : numbers(0, 9)) {
            put(*store_, keyspace_, {50, "p", sort}, sort);
            put(*store_, keyspace_, {50, "o", sort}, "other partition, same hash");
            put(*store_, keyspace_, {50, "p\0"s, sort}, "other partition, same hash");
            put(*store_, keyspace_, {49, "p", sort}, "other hash");
            put(*store_, keyspace_, {51, "p", sort}, "other hash");
            put(*store_, next, {50, "p", sort}, "other keyspace");
        }
    }
    [[nodiscard]] static Range range()
    {
        Range range;
        range.first_hash = range.last_hash = 50;
        range.partition = "p";
        return range;
    }
    void expect(const Range &range, const std::vector<std::string> &values)
    {
        EXPECT_EQ(scan(*store_, keyspace_, range), values);
        Range backward = range;
        backward.backward = true;
        EXPECT_EQ(scan(*store_, keyspace_, backward), std::vector<std::string>(values.rbegin(), values.rend()));
    }

    KeyspaceId keyspace_{};
};
INSTANTIATE_TEST_SUITE_P(Backends, OnePartition, testing::ValuesIn(all_backends()), backend_name);

TEST_P(OnePartition, AllOfIt)
{
    expect(range(), numbers(0, 9));
}

TEST_P(OnePartition, Bounds)
{
    Range from = range();
    from.lower = SortBound{"3", true};
    expect(from, numbers(3, 9));
    from.lower = SortBound{"3", false};
    expect(from, numbers(4, 9));
    from.upper = SortBound{"6", true};
    expect(from, numbers(4, 6));
    from.upper = SortBound{"6", false};
    expect(from, numbers(4, 5));
    from.lower.reset();
    expect(from, numbers(0, 5));
    from.lower = SortBound{"35", true};
    expect(from, numbers(4, 5));
    from.lower = SortBound{"8", true};
    expect(from, {});
    from.lower = from.upper = SortBound{"6", true};
    expect(from, {"6"});
    from.upper->inclusive = false;
    expect(from, {});
}

TEST_P(OnePartition, After)
{
    Range page = range();
    page.after = Key{50, "p", "4"};
    EXPECT_EQ(scan(*store_, keyspace_, page), numbers(5, 9));
    page.after = Key{50, "p", "45"};
    EXPECT_EQ(scan(*store_, keyspace_, page), numbers(5, 9));
    page.after = Key{50, "p", "9"};
    EXPECT_EQ(scan(*store_, keyspace_, page), std::vector<std::string>());
    page.backward = true;
    page.after = Key{50, "p", "4"};
    EXPECT_EQ(scan(*store_, keyspace_, page), numbers(3, 0));
    page.after = Key{50, "p", "45"};
    EXPECT_EQ(scan(*store_, keyspace_, page), numbers(4, 0));
    page.lower = SortBound{"2", true};
    EXPECT_EQ(scan(*store_, keyspace_, page), numbers(4, 2));
    page.upper = SortBound{"3", true};
    EXPECT_EQ(scan(*store_, keyspace_, page), numbers(3, 2));
    page.backward = false;
    EXPECT_EQ(scan(*store_, keyspace_, page), std::vector<std::string>());
}

TEST_P(OnePartition, StopsWhereTheCallerStops)
{
    EXPECT_EQ(scan(*store_, keyspace_, range(), 3), numbers(0, 2));
    Range backward = range();
    backward.backward = true;
    EXPECT_EQ(scan(*store_, keyspace_, backward, 3), numbers(9, 7));
}

TEST_P(OnePartition, AnAbsentPartitionIsEmpty)
{
    for (const Bytes name : {"", "n", "pp", "q"}) {
        Range absent = range();
        absent.partition = name;
        expect(absent, {});
    }
}

/// Few, short parts out of bytes that matter to the encoding, so that keys collide and begin with one another.
class RandomParts {
public:
    explicit RandomParts(std::uint32_t seed)
        : random_(seed)
    {}
    std::uint32_t below(std::uint32_t limit)
    {
        return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random_);
    }
    bool one_in(std::uint32_t count) { return below(count) == 0; }
    std::string part()
    {
        static constexpr char kBytes[] = {'\x00', '\x01', '\x02', 'a', '\xFE', '\xFF'};
        std::string out;
        for (std::uint32_t length = below(4); length > 0; --length) {
            out.push_back(kBytes[below(sizeof(kBytes))]);
        }
        return out;
    }
    std::uint64_t hash()
    {
        static constexpr std::uint64_t kHashes[] = {
            0, 1, 255, 256, std::uint64_t{1} << 63U, ~std::uint64_t{0} - 1, ~std::uint64_t{0}};
        return kHashes[below(std::size(kHashes))];
    }
    OwnedKey key(bool tails) { return {hash(), part(), part(), tails && !one_in(3) ? part() : std::string()}; }

private:
    std::mt19937 random_;
};

/// A range that owns its bytes.
struct OwnedRange {
    Range range;
    std::string partition, lower, upper, prefix;
    OwnedKey after;

    [[nodiscard]] Range view() const
    {
        Range out = range;
        if (out.partition) {
            out.partition = partition;
        }
        if (out.lower) {
            out.lower->sort = lower;
        }
        if (out.upper) {
            out.upper->sort = upper;
        }
        if (out.sort_prefix) {
            out.sort_prefix = prefix;
        }
        if (out.after) {
            out.after = after.view();
        }
        return out;
    }
};

OwnedRange random_range(RandomParts &random, bool tails)
{
    OwnedRange out{{}, random.part(), random.part(), random.part(), random.part(), random.key(tails)};
    Range &range = out.range;
    range.backward = random.one_in(2);
    range.first_hash = random.hash();
    range.last_hash = random.hash();
    if (random.one_in(2)) {
        range.last_hash = range.first_hash;
        range.partition = "";
        if (random.one_in(3)) {
            range.sort_prefix = "";
        } else {
            if (random.one_in(2)) {
                range.lower = SortBound{"", random.one_in(2)};
            }
            if (random.one_in(2)) {
                range.upper = SortBound{"", random.one_in(2)};
            }
        }
        out.after.hash = range.first_hash;
        if (!random.one_in(4)) {
            out.after.partition = out.partition;
        }
    }
    if (random.one_in(2)) {
        range.after = Key{};
    }
    return out;
}

bool inside(const Range &range, const OwnedKey &key)
{
    if (key.hash < range.first_hash || key.hash > range.last_hash ||
        (range.partition && key.partition != *range.partition)) {
        return false;
    }
    if (range.sort_prefix && key.sort.substr(0, range.sort_prefix->size()) != *range.sort_prefix) {
        return false;
    }
    if (range.lower && (key.sort < range.lower->sort || (!range.lower->inclusive && key.sort == range.lower->sort))) {
        return false;
    }
    if (range.upper && (key.sort > range.upper->sort || (!range.upper->inclusive && key.sort == range.upper->sort))) {
        return false;
    }
    if (!range.after) {
        return true;
    }
    const OwnedKey after{range.after->hash, std::string(range.after->partition), std::string(range.after->sort),
                         std::string(range.after->tail)};
    return range.backward ? key < after : key > after;
}

std::vector<std::string> expected(const Model &model, const Range &range)
{
    std::vector<std::string> out;
    for (const auto &[key, value] : model) {
        if (inside(range, key)) {
            out.push_back(value);
        }
    }
    if (range.backward) {
        std::reverse(out.begin(), out.end());
    }
    return out;
}

/// Several small mutations, so that backends with small memtables spread the rows over files; some rows overwritten,
/// some removed.
Model fill(Store &store, KeyspaceId keyspace, RandomParts &random, bool tails)
{
    Model model;
    int value = 0;
    for (int round = 0; round < 40; ++round) {
        std::vector<std::pair<OwnedKey, std::optional<std::string>>> writes;
        for (int i = 0; i < 25; ++i) {
            OwnedKey key = random.key(tails);
            if (random.one_in(5)) {
                model.erase(key);
                writes.emplace_back(std::move(key), std::nullopt);
                continue;
            }
            std::string text = std::to_string(++value) + std::string(random.one_in(3) ? 1500 : 3, '.');
            model[key] = text;
            writes.emplace_back(std::move(key), std::move(text));
        }
        const Outcome outcome = store.mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
            for (const auto &[key, text] : writes) {
                if (text) {
                    mutation.put(keyspace, key.view(), *text);
                } else {
                    mutation.remove(keyspace, key.view());
                }
            }
            return {};
        });
        EXPECT_TRUE(outcome.result);
    }
    return model;
}

void check_against_model(Store &store, KeyspaceKind kind, bool tails, std::uint32_t seed)
{
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomParts random(seed);
    const KeyspaceId keyspace = create_keyspace(store, kind);
    const KeyspaceId neighbour = create_keyspace(store, kind);
    put(store, neighbour, {0, ""}, "neighbour");
    const Model model = fill(store, keyspace, random, tails);
    ASSERT_GT(model.size(), 100U);
    int with_rows = 0;
    for (int i = 0; i < 1500; ++i) {
        const OwnedRange owned = random_range(random, tails);
        const Range range = owned.view();
        const std::vector<std::string> rows = expected(model, range);
        with_rows += rows.empty() ? 0 : 1;
        ASSERT_EQ(scan(store, keyspace, range), rows) << "range " << i;
    }
    EXPECT_GT(with_rows, 300);
}

TEST_P(Ranges, RandomRangesOfRandomRows)
{
    check_against_model(*store_, KeyspaceKind::items, false, 1);
}

TEST_P(Ranges, RandomRangesOfRandomIndexRows)
{
    check_against_model(*store_, KeyspaceKind::local_index, true, 2);
    check_against_model(*store_, KeyspaceKind::global_index, true, 3);
}

TEST_P(Ranges, PagesJoinToTheWhole)
{
    RandomParts random(4);
    const KeyspaceId keyspace = create_keyspace(*store_, KeyspaceKind::global_index);
    const Model model = fill(*store_, keyspace, random, true);
    std::map<std::string, OwnedKey> key_of;
    for (const auto &[key, value] : model) {
        key_of[value] = key;
    }
    for (const bool backward : {false, true}) {
        Range range;
        range.backward = backward;
        const std::vector<std::string> all = expected(model, range);
        std::vector<std::string> joined;
        OwnedKey last;
        while (true) {
            const std::vector<std::string> page = scan(*store_, keyspace, range, 7);
            joined.insert(joined.end(), page.begin(), page.end());
            if (page.size() < 7) {
                break;
            }
            last = key_of.at(page.back());
            range.after = last.view();
        }
        EXPECT_EQ(joined, all);
    }
}

TEST_P(Ranges, ASnapshotIsOneState)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    for (int i = 0; i < 20; ++i) {
        put(*store_, keyspace, {static_cast<std::uint64_t>(i), "p"}, "0");
    }
    const Outcome outcome =
        store_->read(Wait::allowed, View::snapshot, Consistency::strong, [&](Reader &reader) -> Result<void> {
            EXPECT_EQ(reader.get(keyspace, {3, "p"}).value(), "0");
            int rows = 0;
            EXPECT_TRUE(reader
                            .scan(keyspace, {},
                                  [&](const Row &row) {
                                      EXPECT_EQ(row.value, "0");
                                      ++rows;
                                      return true;
                                  })
                            .value());
            EXPECT_EQ(rows, 20);
            return {};
        });
    EXPECT_TRUE(outcome.result);
}

} // namespace
} // namespace basalt::storage
