// A program to be killed: writes row after row and prints each row's number once it has been told that it is durable.
#include "contract/calls.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <cstdio>
#include <cstring>
#include <unistd.h>

int main(int argc, char **argv)
{
    using namespace basalt::storage;
    if (argc != 3) {
        return 2;
    }
    RocksdbOptions options;
    options.data_dir = argv[1];
    options.log_sync = std::strcmp(argv[2], "async") == 0 ? LogSync::async : LogSync::sync;
    options.memtable_bytes = 256 << 10;
    auto store = open_rocksdb(options);
    if (!store) {
        std::fprintf(stderr, "%s\n", store.error().message.c_str());
        return 1;
    }
    const KeyspaceId keyspace = create_keyspace(**store);
    for (std::uint64_t row = 0;; ++row) {
        const std::string value = std::to_string(row) + std::string(500, '.');
        if (!wait_until_durable(**store, put(**store, keyspace, {row, "p"}, value))) {
            return 1;
        }
        // One write of the system for each: what the parent reads was acknowledged.
        const std::string line =
            std::to_string(static_cast<std::uint32_t>(keyspace)) + " " + std::to_string(row) + "\n";
        if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) {
            return 1;
        }
    }
}
