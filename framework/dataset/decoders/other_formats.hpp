// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace mash {

// Kind of a file that is no picture of a decoded format ("a GIF"), by its first bytes; empty where it is
// unknown.
std::string_view other_format_of(std::string_view bytes);

}  // namespace mash
