// The server over files whose fate in a power cut is written down, with memtables so small that it flushes and compacts
// all the time: crash_server DATA_DIR JOURNAL MEMTABLE_KB. Says "PORT n" once it serves; it is killed, not stopped.
#include "base/log.h"
#include "crash/power_cut_files.h"
#include "database_parts.h"
#include "server/server.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <unistd.h>

namespace {

int complain(const basalt::Error &error)
{
    std::fprintf(stderr, "crash_server: %s\n", error.message.c_str());
    return 1;
}

} // namespace

int main(int argc, char **argv)
{
    using namespace basalt;
    if (argc != 4) {
        std::fputs("usage: crash_server DATA_DIR JOURNAL MEMTABLE_KB\n", stderr);
        return 2;
    }
    if (auto logging = start_logging("warning"); !logging) {
        return complain(logging.error());
    }
    server::ServerOptions listening;
    listening.host = "127.0.0.1";
    listening.port = 0;
    auto server = server::Server::bind(listening);
    if (!server) {
        return complain(server.error());
    }
    storage::RocksdbOptions options;
    options.data_dir = argv[1];
    options.file_system = std::make_shared<crash::PowerCutFiles>(argv[1], argv[2]);
    options.memtable_bytes = static_cast<std::size_t>(std::atoi(argv[3])) << 10U;
    auto store = storage::open_rocksdb(options);
    if (!store) {
        return complain(store.error());
    }
    auto database =
        open_over(Options{}, {std::move(*store), std::make_unique<SystemClock>(), std::make_unique<SystemRandom>()});
    if (!database) {
        return complain(database.error());
    }
    (*server)->start(**database);
    std::printf("PORT %s\n", (*server)->endpoint().c_str());
    std::fflush(stdout);
    while (true) {
        ::pause();
    }
}
