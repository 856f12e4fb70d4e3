// What an embedding program decides when it opens a Database. The server fills this from its configuration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace basalt {

enum class DurabilityMode : std::uint8_t {
    sync,  // a reply waits for the fsync that covers everything it shows; survives a power cut
    async, // a reply waits until the kernel has the log; survives kill -9, not a power cut
};

/// What a Query or Scan of a global secondary index sees.
enum class IndexReads : std::uint8_t {
    caught_up, // every write that was answered before the read came; it waits for that, up to index_wait_ms
    eventual,  // what has been applied by then, as on the service
};

struct Options {
    /// Directory of the database; created if absent. Ignored when in_memory.
    std::filesystem::path data_dir;
    /// Keep everything in memory; nothing survives close().
    bool in_memory = false;
    DurabilityMode durability = DurabilityMode::sync;
    /// Bytes for block cache, memtables and request bodies together.
    std::size_t memory_budget_bytes = std::size_t{256} << 20;
    /// While the file system has less free space than this, in bytes, writes other than deletes are refused with
    /// InternalServerError. 0: only when it is full.
    std::uint64_t min_free_space_bytes = std::uint64_t{64} << 20;
    /// How long CREATING, UPDATING and DELETING last, in milliseconds; 0: not visible at all.
    std::int64_t table_transition_ms = 0;
    /// What an item collection may hold, in bytes: all items of one partition key value and their entries in local
    /// secondary indexes, on tables that have such indexes. 0: no limit; the service's is 10 GB, 10'737'418'240.
    std::uint64_t item_collection_limit_bytes = 0;
    /// How long a write waits for an item that another request is writing, in milliseconds, before it fails with
    /// TransactionConflict. Items are held for microseconds, so that only a stall of the machine or a write that takes
    /// long to evaluate lets this pass.
    std::int64_t transaction_lock_ms = 1000;
    /// May be changed while the database is open.
    IndexReads index_reads = IndexReads::caught_up;
    /// How old a change has to be before it is applied to the global secondary indexes, in milliseconds: lets a program
    /// meet indexes that lag behind. An older change of the same item brings it along. May be changed while the
    /// database is open.
    std::int64_t index_lag_ms = 0;
    /// How long a caught-up read of a global secondary index waits, in milliseconds, before it is answered from what
    /// has been applied by then.
    std::int64_t index_wait_ms = 5000;
    /// How many bytes of change records may wait to be applied to the global secondary indexes of one table; beyond it
    /// writes to the table get ThrottlingException. A record takes the key attributes of table and indexes and
    /// about 30 bytes.
    std::uint64_t change_log_max_bytes = std::uint64_t{64} << 20;
    /// Region and account in the ARNs that responses show.
    std::string region = "us-east-1";
    std::string account_id = "000000000000";
    /// Threads for attempts that have to wait (a busy item, a disk read, a write stall).
    int worker_threads = 4;
    /// Attempts that may queue for those threads before further ones are refused with ThrottlingException.
    std::size_t worker_queue_limit = 16384;
};

} // namespace basalt
