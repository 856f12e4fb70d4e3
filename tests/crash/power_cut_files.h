// A file system for RocksDB that writes down, outside the process, what a power cut would leave. The journal is a file
// with one line for each event, appended with write(2), so that it survives SIGKILL:
//
//     create NAME SAVED     a new or emptied file; SAVED: a hard link to what was there, or -
//     sync NAME LENGTH      that much of the file is safe
//     rename FROM TO SAVED
//     link FROM TO
//     delete NAME SAVED
//     directory             all names are safe
//
// power_cut.py undoes what is not safe. Names stand relative to the data directory.
#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>

namespace basalt::crash {

/// Thread-safe.
class PowerCutFiles final : public ::rocksdb::FileSystemWrapper {
public:
    /// directory: the data directory. journal: the file's name; links to files that may have to come back are kept in
    /// the directory of that name with ".saved" behind it, which must be on the same file system.
    PowerCutFiles(std::filesystem::path directory, const std::filesystem::path &journal);
    ~PowerCutFiles() override;
    PowerCutFiles(const PowerCutFiles &) = delete;
    PowerCutFiles &operator=(const PowerCutFiles &) = delete;
    [[nodiscard]] const char *Name() const override { return "PowerCutFiles"; }

    ::rocksdb::IOStatus NewWritableFile(const std::string &name, const ::rocksdb::FileOptions &options,
                                        std::unique_ptr<::rocksdb::FSWritableFile> *file,
                                        ::rocksdb::IODebugContext *debug) override;
    ::rocksdb::IOStatus ReopenWritableFile(const std::string &name, const ::rocksdb::FileOptions &options,
                                           std::unique_ptr<::rocksdb::FSWritableFile> *file,
                                           ::rocksdb::IODebugContext *debug) override;
    ::rocksdb::IOStatus ReuseWritableFile(const std::string &name, const std::string &old_name,
                                          const ::rocksdb::FileOptions &options,
                                          std::unique_ptr<::rocksdb::FSWritableFile> *file,
                                          ::rocksdb::IODebugContext *debug) override;
    ::rocksdb::IOStatus NewDirectory(const std::string &name, const ::rocksdb::IOOptions &options,
                                     std::unique_ptr<::rocksdb::FSDirectory> *directory,
                                     ::rocksdb::IODebugContext *debug) override;
    ::rocksdb::IOStatus RenameFile(const std::string &from, const std::string &to, const ::rocksdb::IOOptions &options,
                                   ::rocksdb::IODebugContext *debug) override;
    ::rocksdb::IOStatus LinkFile(const std::string &from, const std::string &to, const ::rocksdb::IOOptions &options,
                                 ::rocksdb::IODebugContext *debug) override;
    ::rocksdb::IOStatus DeleteFile(const std::string &name, const ::rocksdb::IOOptions &options,
                                   ::rocksdb::IODebugContext *debug) override;

private:
    friend class JournalledFile;
    friend class JournalledDirectory;

    void note(const std::string &line);
    /// Keeps what stands under the name; the link's name, or "-".
    [[nodiscard]] std::string save(const std::string &name);
    [[nodiscard]] std::string relative(const std::string &name) const;

    const std::filesystem::path directory_;
    const std::filesystem::path saved_;
    int journal_;
    /// Names change and are noted in one order.
    std::mutex names_mutex_;
    std::uint64_t saves_ = 0;
};

} // namespace basalt::crash
