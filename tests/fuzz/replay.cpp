// Runs a fuzz target over the files of a corpus folder, for builds without libFuzzer.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace {

/// Files and folders alike, like libFuzzer; in the order of their names.
std::vector<std::filesystem::path> inputs_in(const std::filesystem::path &place)
{
    std::vector<std::filesystem::path> files;
    std::error_code error;
    if (std::filesystem::is_regular_file(place, error)) {
        files.push_back(place);
        return files;
    }
    for (const auto &entry : std::filesystem::directory_iterator(place, error)) {
        if (entry.is_regular_file()) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

bool replay(const std::filesystem::path &file)
{
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> content{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in) {
        return false;
    }
    // Memory of exactly that size, so that a sanitizer notices what reads on.
    const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[content.size()]);
    if (!content.empty()) {
        std::memcpy(exact.get(), content.data(), content.size());
    }
    std::printf("%s\n", file.c_str());
    std::fflush(stdout); // the last one named is the one that fails
    return LLVMFuzzerTestOneInput(exact.get(), content.size()) == 0;
}

} // namespace

int main(int argc, char **argv)
{
    std::size_t count = 0;
    for (int i = 1; i < argc; ++i) {
        for (const auto &file : inputs_in(argv[i])) {
            if (!replay(file)) {
                std::fprintf(stderr, "cannot replay %s\n", file.c_str());
                return 1;
            }
            ++count;
        }
    }
    if (count == 0) {
        std::fputs("no inputs to replay\n", stderr);
        return 1;
    }
    std::printf("%zu inputs replayed\n", count);
    return 0;
}
