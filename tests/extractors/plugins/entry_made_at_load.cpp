// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "raw.hpp"

namespace {
const mash_heuristic_t descriptor = raw::heuristic("entry-made-at-load");
const mash_heuristic_t* const descriptors[] = {&descriptor};
mash_plugin_info_t made_at_load() {
  mash_plugin_info_t info = raw::plugin(descriptors);
  info.num_heuristics = std::getenv("PATH") ? 1 : 2;
  return info;
}
}  // namespace

extern "C" MASH_EXPORT const mash_plugin_info_t mash_plugin = made_at_load();
