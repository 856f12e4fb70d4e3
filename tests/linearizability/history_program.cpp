// A program to be killed: opens a database and runs clients on it. Its arguments are the shared log and the directory
// of the database. It ends with 0 when the clients are through; the log has what went wrong otherwise.
#include "crash/power_cut_files.h"
#include "database_parts.h"
#include "linearizability/clients.h"
#include "linearizability/pausing_store.h"
#include "linearizability/slow_syncs.h"
#include "linearizability/wire.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <spdlog/spdlog.h>

#include <cstdio>

namespace basalt::linearizability {
namespace {

std::unique_ptr<Database> open(SharedLog &log, const char *directory)
{
    const Settings &settings = log.settings();
    storage::RocksdbOptions options;
    options.data_dir = directory;
    options.log_sync = settings.async ? storage::LogSync::async : storage::LogSync::sync;
    options.memtable_bytes = settings.memtable_bytes;
    options.lock_stripes = settings.lock_stripes;
    options.lock_patience = std::chrono::milliseconds(settings.lock_patience_ms);
    auto files = ::rocksdb::FileSystem::Default();
    if (settings.journalled) {
        files = std::make_shared<crash::PowerCutFiles>(directory, std::string(directory) + ".journal");
    }
    options.file_system = std::make_shared<SlowSyncs>(std::chrono::microseconds(settings.sync_us), files);
    auto store = storage::open_rocksdb(options);
    if (!store) {
        log.complain("the store does not open: " + store.error().message);
        return nullptr;
    }
    if (settings.pause_us > 0) {
        *store = std::make_unique<PausingStore>(std::move(*store), std::chrono::microseconds(settings.pause_us),
                                                settings.seed + log.now());
    }
    auto database =
        open_over(Options{}, {std::move(*store), std::make_unique<SystemClock>(), std::make_unique<SystemRandom>()});
    if (!database) {
        log.complain("the database does not open: " + database.error().message);
        return nullptr;
    }
    return std::move(*database);
}

int run(const char *log_path, const char *directory)
{
    SharedLog log(log_path);
    const auto database = open(log, directory);
    if (database == nullptr) {
        return 1;
    }
    for (const WireRequest &request : create_requests()) {
        const Response response = database->call(Request{request.target, request.body, 0});
        // After a crash a table may be there already.
        if (response.status != 200 && response.body.find("ResourceInUse") == std::string::npos) {
            log.complain("a table is not created: " + response.body);
            return 1;
        }
    }
    run_clients(*database, log);
    database->close();
    return 0;
}

} // namespace
} // namespace basalt::linearizability

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fputs("usage: history_program LOG DIRECTORY\n", stderr);
        return 2;
    }
    spdlog::set_level(spdlog::level::err);
    return basalt::linearizability::run(argv[1], argv[2]);
}
