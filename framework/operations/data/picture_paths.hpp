// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// The pictures that names of files and folders stand for. A file stands for itself. A folder stands for the
// pictures in it and in the folders below, in order of their names; files there that are no pictures by their
// extension are left out. Errors (kInput): a folder that cannot be read or has no picture.
Result<std::vector<std::string>> picture_paths(const std::vector<std::string>& names);

}  // namespace mash
