// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

using SystemTime = std::chrono::system_clock::time_point;

// A time with its unit: "90s", "15min", "12h", "30d", "2w". Errors (kInput).
Result<std::chrono::seconds> parse_age(std::string_view text);

// "12 B", "3.4 KiB", "9.6 GiB": as parse_size counts.
std::string bytes_in_words(std::uint64_t num_bytes);

// In the largest unit of which there is at least one whole: "45 s", "3 min", "7 h", "12 days". A time that is
// not over yet is "0 s".
std::string age_in_words(std::chrono::seconds age);

// "2026-01-31T12:00:00Z".
std::string iso_time(SystemTime time);
std::string iso_time(std::chrono::sys_seconds time);

}  // namespace mash
