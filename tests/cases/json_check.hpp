// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mash::cases {

// Errors of the JSON document `text`, given the lines of a `json` step; "" when nothing is.
std::string check_json(const std::string& text, const std::vector<std::string>& lines);

}  // namespace mash::cases
