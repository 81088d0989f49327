// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mash {

// The error of a text that is not YAML, with what to write instead. message: that of yaml-cpp, which says
// where its parser failed.
std::string yaml_message(std::string_view message);

}  // namespace mash
