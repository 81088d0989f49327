// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// A file of a folder that is written as a whole.
struct NewFile {
  std::string name;  // within the folder; may be in another folder there
  std::string text;
};

// Checks that a folder can be made at this place. Errors (kInput): there is a file, or a folder that is not
// empty.
Status check_new_folder(const std::filesystem::path& folder);

// Makes the folder with these files, or nothing: it is written beside its place, then renamed. Errors
// (kInput): a folder of its path is a file; kFailure: the disk's.
Status write_new_folder(const std::filesystem::path& folder, const std::vector<NewFile>& files);

}  // namespace mash
