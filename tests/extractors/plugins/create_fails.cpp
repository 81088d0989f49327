// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

namespace {
std::int32_t fail(const mash_host_t* host, const double*, std::uint32_t, mash_instance_t**) {
  // On the stack and overwritten afterwards: the host has to copy it.
  char text[] = "no model file\x1b[31m, says the plugin";
  host->set_error(host->context, text);
  for (char& c : text) c = 'x';
  return MASH_ERROR;
}
}  // namespace

RAW_PLUGIN("create-fails", h.create = &fail)
