// What the parts of a verification share: the store, where findings go, and reads that turn what cannot be read into
// findings.
#pragma once

#include "engine/verification.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace basalt::engine {

inline constexpr std::string_view kUnreadableRows = "rows that cannot be read";
inline constexpr std::string_view kNoKey = "a row without a proper key";

class VerificationContext {
public:
    /// The references outlive this object.
    VerificationContext(storage::Store &store, const StoreInventory &inventory, FindingSink found,
                        VerificationProgress progress, VerificationCounts &counts);

    void error(std::string_view kind, const std::string &where, const std::string &what);
    void note(std::string_view kind, const std::string &where, const std::string &what);
    /// False, and found, if a read of the body failed. what: names the rows; asked only then.
    bool read(function_ref<std::string()> what, function_ref<Result<void>(storage::Reader &)> body);
    /// Shows rows until one gives false. Those without a key are found instead. False, and found, if reading failed.
    bool scan(storage::KeyspaceId keyspace, const std::string &what, const storage::Range &range,
              function_ref<bool(const StoredKey &, Bytes value)> row);

    [[nodiscard]] const StoreInventory &inventory() const { return inventory_; }
    [[nodiscard]] VerificationCounts &counts() { return counts_; }

private:
    storage::Store &store_;
    const StoreInventory &inventory_;
    FindingSink found_;
    VerificationProgress progress_;
    VerificationCounts &counts_;
    std::uint64_t rows_ = 0;
};

} // namespace basalt::engine
