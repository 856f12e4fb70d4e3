// What concurrent clients did and saw: operations on a few items, each item a register whose every value is unique.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace basalt::linearizability {

inline constexpr std::size_t kMostItems = 5;

/// The value of an item. An absent one is all zeros.
struct State {
    std::uint32_t version = 0;  // named by whoever wrote it; no two writes have the same
    std::uint32_t previous = 0; // the version that an update replaced; 0 after a put
    std::uint32_t count = 0;    // 1 after a put, one more after each update

    friend bool operator==(const State &, const State &) = default;
};

enum class Condition : std::uint8_t { none, version_is, exists, absent };
enum class Effect : std::uint8_t { none, put, update, remove };

/// One item's part in an operation.
struct Access {
    enum Seen : std::uint8_t { nothing = 0, version = 1, previous = 2, count = 4, everything = 7 };

    std::uint8_t item = 0;
    Condition condition = Condition::none;
    /// Whether the condition was found to hold.
    bool held = true;
    Effect effect = Effect::none;
    std::uint32_t expected = 0; // by version_is
    std::uint32_t written = 0;  // by put and update
    /// Which members of `state` the reply showed, and whether they are from after the effect.
    std::uint8_t seen = nothing;
    bool seen_after = false;
    State state = {};
};

enum class Kind : std::uint8_t {
    get,
    batch_get,
    scan,
    query,
    index_query,
    fetching_query, // through an index without the attributes
    batch_write,
    put,
    update,
    remove,
    transact_get,
    transact_write,
};

/// How an operation asks for its reply.
enum class Returns : std::uint8_t { none, all_old, all_new, updated_old, updated_new };

enum class Outcome : std::uint8_t {
    unknown, // happened wholly or not at all
    done,
    condition_failed, // and told so: an observation without effect
    refused,          // no effect, and nothing was seen
};

struct Operation {
    std::uint32_t client = 0;
    Kind kind = Kind::get;
    Outcome outcome = Outcome::unknown;
    Returns returns = Returns::none;
    /// Failed conditions show the item.
    bool failure_shows_item = false;
    /// A transaction with a token, sent again after a crash.
    bool has_token = false;
    /// A transaction that is sent a second time after it succeeded.
    bool resend = false;
    std::uint8_t access_count = 0;
    std::array<Access, kMostItems> accesses = {};
    /// Bytes of ballast in what it puts.
    std::uint32_t padding_bytes = 0;
    /// Moments of one clock of all clients, each used once. The operation took effect between the two; if its outcome
    /// is unknown, then until `completed` or never.
    std::uint64_t invoked = 0;
    std::uint64_t completed = 0;

    [[nodiscard]] bool has_effect() const;
    [[nodiscard]] bool is_optional() const { return outcome == Outcome::unknown; }
};
static_assert(std::is_trivially_copyable_v<Operation>);

using History = std::vector<Operation>;

/// Whether the access can have happened to an item of this state; if so, the state becomes what it left.
[[nodiscard]] bool apply(const Access &access, State &state);

/// The history as units that are to take effect at one moment: queries, scans and batches become one unit for each
/// item, and what was refused or has an unknown outcome without an effect is left out. In the order of invocation.
[[nodiscard]] History atomic_units(const History &history);

/// The part of atomic units that concerns one item.
[[nodiscard]] History of_item(const History &units, std::size_t item);

[[nodiscard]] std::string to_text(const State &state);
/// One line, without its end.
[[nodiscard]] std::string to_text(const Operation &operation);
[[nodiscard]] std::string to_text(const History &history);

} // namespace basalt::linearizability
