// The yardstick of durable writes: RocksDB as it comes, one thread, one Put of 1 KB after the other, each synced before
// the next.
//
// Usage: sync_loop FOLDER SECONDS; the database is made in a new folder below FOLDER and removed again. Prints one
// line, "RESULT {"per_second": ...}".
#include <rocksdb/db.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kValueBytes = 1024;
constexpr unsigned kKeys = 10'000;

void require(const rocksdb::Status &status)
{
    if (!status.ok()) {
        std::fprintf(stderr, "%s\n", status.ToString().c_str());
        std::exit(1);
    }
}

double puts_per_second(const std::string &path, std::chrono::duration<double> length)
{
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB *opened = nullptr;
    require(rocksdb::DB::Open(options, path, &opened));
    const std::unique_ptr<rocksdb::DB> db(opened);
    rocksdb::WriteOptions synced;
    synced.sync = true;
    const std::string value(kValueBytes, 'x');

    const auto start = Clock::now();
    unsigned puts = 0;
    std::chrono::duration<double> taken{};
    while (taken < length) {
        require(db->Put(synced, "customer#" + std::to_string(puts % kKeys), value));
        ++puts;
        taken = Clock::now() - start;
    }
    return puts / taken.count();
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: sync_loop FOLDER SECONDS\n");
        return 2;
    }
    const auto path = std::filesystem::path(argv[1]) / ("sync-loop-" + std::to_string(getpid()));
    const double rate = puts_per_second(path.string(), std::chrono::duration<double>(std::atof(argv[2])));
    std::filesystem::remove_all(path);
    std::printf("RESULT {\"per_second\": %.1f}\n", rate);
}
