// CRC-32 (IEEE 802.3, the one of gzip and x-amz-crc32).
#pragma once

#include <cstdint>
#include <string_view>

namespace basalt::server {

[[nodiscard]] std::uint32_t crc32(std::string_view bytes) noexcept;

} // namespace basalt::server
