// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mash {

// The error of a text that is not YAML, and what to write instead. message: yaml-cpp's, which says how its
// parser got lost.
std::string yaml_message(std::string_view message);

}  // namespace mash
