// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace mash {

// A file of the source tree that bundles are made of. It is built into the program, so it is there wherever
// the program is: the headers of the SDK, the sources of its own heuristics, those parts of the framework
// that bundles have too, and the files of `pieces`.
struct BundledFile {
  std::string_view path;  // from the root of the tree on
  std::string_view text;
};
std::span<const BundledFile> bundled_files();

}  // namespace mash
