// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace mash::server {

// The smallest heuristic that works, as pages show it to those who write their first one: the text of
// sdk/template/blank/row_means.cpp with the id "your-name/row-means".
inline constexpr std::string_view kExampleFile = "row_means.cpp";
extern const std::string_view kExampleSource;

}  // namespace mash::server
