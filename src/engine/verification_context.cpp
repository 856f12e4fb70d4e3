#include "engine/verification_context.h"

#include <utility>

namespace basalt::engine {
namespace {

constexpr std::uint64_t kProgressRows = 4096;

} // namespace

VerificationContext::VerificationContext(storage::Store &store, const StoreInventory &inventory, FindingSink found,
                                         VerificationProgress progress, VerificationCounts &counts)
    : store_(store),
      inventory_(inventory),
      found_(found),
      progress_(progress),
      counts_(counts)
{}

void VerificationContext::error(std::string_view kind, const std::string &where, const std::string &what)
{
    found_({Severity::error, kind, where + ": " + what});
}

void VerificationContext::note(std::string_view kind, const std::string &where, const std::string &what)
{
    found_({Severity::note, kind, where + ": " + what});
}

bool VerificationContext::read(function_ref<std::string()> what, function_ref<Result<void>(storage::Reader &)> body)
{
    const auto outcome = store_.read(storage::Wait::allowed, storage::View::latest, storage::Consistency::strong, body);
    if (!outcome.result) {
        error(kUnreadableRows, what(), outcome.result.error().message);
    }
    return outcome.result.has_value();
}

bool VerificationContext::scan(storage::KeyspaceId keyspace, const std::string &what, const storage::Range &range,
                               function_ref<bool(const StoredKey &, Bytes value)> row)
{
    const auto body = [&](storage::Reader &reader) -> Result<void> {
        auto scanned = reader.scan(keyspace, range, [&](const storage::Row &found) {
            if (++rows_ % kProgressRows == 0) {
                progress_(counts_);
            }
            const auto key = inventory_.parse_key(found.raw_key);
            if (!key) {
                error(kNoKey, what, "key " + readable_bytes(found.raw_key));
                return true;
            }
            return row(*key, found.value);
        });
        return scanned ? Result<void>() : Result<void>(fail(std::move(scanned).error()));
    };
    return read([&] { return what; }, body);
}

} // namespace basalt::engine
