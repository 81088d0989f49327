// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace mash::testing {

// The files of the checkout: each folder that has any, as "framework/base" or "" for the root, with the names
// of the files directly in it, sorted. Without what is hidden and what builds, npm and Python leave behind.
const std::map<std::string, std::vector<std::string>>& files_by_folder();

// The files and folders whose path is `name` or ends with "/" and `name`, sorted. "*" and a word in capitals
// stand for any text without "/": "readers/NAME.hpp".
std::vector<std::string> paths_ending_with(const std::string& name);

}  // namespace mash::testing
