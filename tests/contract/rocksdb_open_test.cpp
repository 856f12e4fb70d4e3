// What open_rocksdb() refuses, in which words, and that it leaves alone what it refuses.
#include "contract/backends.h"
#include "contract/calls.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <fstream>
#include <unistd.h>

namespace basalt::storage {
namespace {

namespace fs = std::filesystem;

class RocksdbOpen : public testing::Test {
protected:
    Result<std::unique_ptr<Store>> open()
    {
        RocksdbOptions options;
        options.data_dir = path_;
        return open_rocksdb(options);
    }
    void expect_refused(ErrorCode code)
    {
        const Result<std::unique_ptr<Store>> store = open();
        ASSERT_FALSE(store);
        const Error &error = store.error();
        EXPECT_EQ(error.code, code);
        EXPECT_NE(error.message.find("'" + path_.string()), std::string::npos) << error.message;
        EXPECT_EQ(error.message.back(), '.') << error.message;
        EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
    }
    [[nodiscard]] std::vector<std::string> names() const
    {
        std::vector<std::string> out;
        for (const fs::directory_entry &entry : fs::directory_iterator(path_)) {
            out.push_back(entry.path().filename().string());
        }
        return out;
    }
    void write(const char *name, const std::string &text) const { std::ofstream(path_ / name) << text; }

    TemporaryDirectory directory_;
    fs::path path_ = directory_.path();
};

TEST_F(RocksdbOpen, CreatesTheDirectoryAndItsParents)
{
    path_ /= "a/b";
    ASSERT_TRUE(open());
    std::ifstream format(path_ / "BASALT");
    std::string line;
    EXPECT_TRUE(std::getline(format, line));
    EXPECT_EQ(line, "basalt format 4");
}

TEST_F(RocksdbOpen, TakesATrailingSlash)
{
    path_ /= "";
    ASSERT_TRUE(open());
    ASSERT_TRUE(open());
    EXPECT_TRUE(fs::exists(directory_.path() / "BASALT"));
}

TEST_F(RocksdbOpen, TakesAnEmptyDirectoryAndTheRemainsOfAnInterruptedFirstStart)
{
    fs::create_directory(path_);
    write("BASALT.new", "bas");
    write("BASALT.lock", "");
    fs::create_directory(path_ / "lost+found");
    ASSERT_TRUE(open());
    ASSERT_TRUE(open());
}

TEST_F(RocksdbOpen, ASecondOpenIsRefusedWhileTheFirstLives)
{
    Result<std::unique_ptr<Store>> first = open();
    ASSERT_TRUE(first);
    expect_refused(ErrorCode::locked);
    expect_refused(ErrorCode::locked);
    (*first)->close();
    EXPECT_TRUE(open());
}

TEST_F(RocksdbOpen, ADirectoryOfSomebodyElseIsRefusedUntouched)
{
    fs::create_directory(path_);
    write("precious.txt", "mine");
    expect_refused(ErrorCode::unsupported_format);
    EXPECT_EQ(names(), std::vector<std::string>{"precious.txt"});
}

TEST_F(RocksdbOpen, AnotherFormatIsRefusedUntouched)
{
    fs::create_directory(path_);
    for (const char *text :
         {"basalt format 3\n", "basalt format 5\n", "basalt format 0\n", "basalt format 4", "basalt format 22\n",
          "basalt format 99999999999\n", "basalt format \n", "something else\n", "", "\0"}) {
        write("BASALT", text);
        expect_refused(ErrorCode::unsupported_format);
        EXPECT_EQ(names(), std::vector<std::string>{"BASALT"}) << text;
    }
}

TEST_F(RocksdbOpen, AFileInPlaceOfTheDirectoryIsRefused)
{
    std::ofstream(path_) << "a file";
    expect_refused(ErrorCode::io_error);
}

TEST_F(RocksdbOpen, ADirectoryThatCannotBeWrittenIsRefused)
{
    if (::geteuid() == 0) {
        path_ = "/proc/basalt";
    } else {
        fs::create_directory(path_);
        fs::permissions(path_, fs::perms::owner_read | fs::perms::owner_exec);
    }
    expect_refused(ErrorCode::io_error);
}

TEST_F(RocksdbOpen, NonsenseOptionsAreRefused)
{
    RocksdbOptions options;
    const Result<std::unique_ptr<Store>> nowhere = open_rocksdb(options);
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, ErrorCode::invalid_options);
    options.data_dir = path_;
    options.lock_stripes = 1000;
    const Result<std::unique_ptr<Store>> stripes = open_rocksdb(options);
    ASSERT_FALSE(stripes);
    EXPECT_EQ(stripes.error().code, ErrorCode::invalid_options);
    EXPECT_FALSE(fs::exists(path_));
}

TEST_F(RocksdbOpen, KeepsNoLogAndNoOptionsFilesOfRocksdb)
{
    ASSERT_TRUE(open());
    for (const std::string &name : names()) {
        EXPECT_FALSE(name.starts_with("LOG") || name.starts_with("OPTIONS")) << name;
    }
}

} // namespace
} // namespace basalt::storage
