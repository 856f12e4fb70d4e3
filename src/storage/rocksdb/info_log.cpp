// The bridge from rocksdb::Logger to spdlog.
#include "storage/rocksdb/info_log.h"

#include "base/log.h"

#include <rocksdb/env.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace basalt::storage {
namespace {

spdlog::level::level_enum level_of(::rocksdb::InfoLogLevel level)
{
    switch (level) {
    case ::rocksdb::DEBUG_LEVEL:
        return spdlog::level::trace;
    case ::rocksdb::INFO_LEVEL:
    case ::rocksdb::HEADER_LEVEL:
        return spdlog::level::debug;
    case ::rocksdb::WARN_LEVEL:
        return spdlog::level::warn;
    default:
        return spdlog::level::err;
    }
}

class InfoLog final : public ::rocksdb::Logger {
public:
    InfoLog()
        : Logger(::rocksdb::WARN_LEVEL)
    {}
    using Logger::Logv;
    void LogHeader(const char *, va_list) override {}
    void Logv(const char *format, va_list arguments) override { Logv(::rocksdb::INFO_LEVEL, format, arguments); }
    void Logv(::rocksdb::InfoLogLevel level, const char *format, va_list arguments) override
    {
        if (level < GetInfoLogLevel() || level == ::rocksdb::HEADER_LEVEL) {
            return;
        }
        if (std::strstr(format, "persist options") != nullptr) {
            return; // said at every start, as we keep no OPTIONS files
        }
        std::array<char, 1024> line{};
        std::vsnprintf(line.data(), line.size(), format, arguments);
        spdlog::log(level_of(level), "rocksdb: {}", line.data());
    }
};

} // namespace

std::shared_ptr<::rocksdb::Logger> make_info_log()
{
    return std::make_shared<InfoLog>();
}

} // namespace basalt::storage
