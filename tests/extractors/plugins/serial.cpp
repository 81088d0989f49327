// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <thread>

#include "raw.hpp"

// Feature: 1 if two calls of this plugin ever ran at the same time, else 0.
namespace {
std::atomic<int> num_inside{0};
std::atomic<bool> was_shared{false};

struct Inside {
  Inside() {
    if (++num_inside > 1) was_shared = true;
    std::this_thread::yield();
  }
  ~Inside() { --num_inside; }
};

std::int32_t prepare(mash_instance_t* handle, const mash_image_t* image, const mash_view_t* view,
                     mash_state_t** out) {
  const Inside inside;
  return raw::prepare(handle, image, view, out);
}
std::int32_t compute(mash_state_t*, const std::uint32_t*, std::uint32_t num_features, float* out) {
  const Inside inside;
  for (std::uint32_t i = 0; i < num_features; ++i) out[i] = was_shared ? 1 : 0;
  return MASH_OK;
}
void release(mash_state_t*) { const Inside inside; }
}  // namespace

RAW_PLUGIN("serial", h.flags = MASH_SERIAL; h.prepare = &prepare; h.compute = &compute; h.release = &release)
