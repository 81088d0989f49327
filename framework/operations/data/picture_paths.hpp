// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/work_context.hpp"

namespace mash {

// The pictures that names of files and folders stand for. A file stands for itself. A folder stands for the
// pictures in it and in the folders below, in order of their names; remarks are told of other files there.
// Errors (kInput): a folder that cannot be read or has no picture.
Result<std::vector<std::string>> picture_paths(const std::vector<std::string>& names, Remarks& remarks);

}  // namespace mash
