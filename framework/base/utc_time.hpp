// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "framework/base/result.hpp"

// Moments as iso_time of amounts.hpp writes them, "2026-12-01T07:00:00Z": such texts stand in the order of
// their moments.
namespace mash {

// A moment that names its zone by its offset, or by Z or UTC: "2026-12-01T08:00:00+01:00", "2026-12-01 08:00
// +01:00", "2026-12-01T07:00Z", "2026-12-01 07:00 UTC"; in the years 2000 to 2999. Errors (kInput).
Result<std::string> parse_moment(std::string_view text);

// "2026-12-01 07:00 UTC"; with seconds where there are any.
std::string moment_in_words(std::string_view moment);

// The present moment.
std::string moment_now();

}  // namespace mash
