// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/scratch_folder.hpp"

namespace mash::testing {

// A folder of its own for a test, removed with it.
class ScratchFolder {
 public:
  const std::filesystem::path& path() const { return folder_.path(); }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path() / name; }

 private:
  mash::ScratchFolder folder_ = *mash::ScratchFolder::make("test");
};

}  // namespace mash::testing
