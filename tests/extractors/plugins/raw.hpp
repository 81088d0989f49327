// SPDX-License-Identifier: Apache-2.0
// A heuristic in the raw ABI that keeps every rule: one feature per pixel column, worth 1. Each plugin in
// this folder replaces the piece in which it is at fault.
#pragma once

#include <mash/abi/entry.h>

#include <cstdint>

namespace raw {

struct Instance {
  const mash_host_t* host = nullptr;
  std::uint32_t dim = 0;
};

inline Instance& instance_of(mash_instance_t* handle) { return *reinterpret_cast<Instance*>(handle); }
inline Instance& instance_of(mash_state_t* state) { return *reinterpret_cast<Instance*>(state); }

inline std::int32_t create(const mash_host_t* host, const double*, std::uint32_t, mash_instance_t** out) {
  *out = reinterpret_cast<mash_instance_t*>(new Instance{host, 0});
  return MASH_OK;
}

inline std::int32_t dim(mash_instance_t*, mash_size_t size, std::uint32_t* out) {
  *out = size.width;
  return MASH_OK;
}

inline std::int32_t prepare(mash_instance_t* handle, const mash_image_t*, const mash_view_t* view,
                            mash_state_t** out) {
  instance_of(handle).dim = view->width;
  *out = reinterpret_cast<mash_state_t*>(handle);
  return MASH_OK;
}

inline std::int32_t compute(mash_state_t*, const std::uint32_t*, std::uint32_t num_features, float* out) {
  for (std::uint32_t i = 0; i < num_features; ++i) out[i] = 1;
  return MASH_OK;
}

inline void release(mash_state_t*) {}
inline void destroy(mash_instance_t* handle) { delete &instance_of(handle); }

constexpr mash_heuristic_t heuristic(const char* id) {
  return {sizeof(mash_heuristic_t),
          0,
          id,
          "1.0.0",
          "nobody",
          "a test",
          "Apache-2.0",
          nullptr,
          0,
          &create,
          &dim,
          &prepare,
          &compute,
          &release,
          &destroy,
          nullptr};
}

constexpr mash_plugin_info_t plugin(const mash_heuristic_t* const* heuristics) {
  return {MASH_PLUGIN_HANDSHAKE, 1, heuristics};
}

}  // namespace raw

// RAW_PLUGIN(id, statements on the descriptor `h` and the handshake `p`...)
#define RAW_PLUGIN(id, ...)                                          \
  namespace {                                                        \
  constexpr mash_heuristic_t make_descriptor() {                     \
    mash_heuristic_t h = raw::heuristic(id);                         \
    [[maybe_unused]] mash_plugin_info_t p{};                         \
    __VA_ARGS__;                                                     \
    return h;                                                        \
  }                                                                  \
  constexpr mash_heuristic_t kDescriptor = make_descriptor();        \
  constexpr const mash_heuristic_t* kDescriptors[] = {&kDescriptor}; \
  constexpr mash_plugin_info_t make_plugin() {                       \
    [[maybe_unused]] mash_heuristic_t h = raw::heuristic(id);        \
    mash_plugin_info_t p = raw::plugin(kDescriptors);                \
    __VA_ARGS__;                                                     \
    return p;                                                        \
  }                                                                  \
  }                                                                  \
  extern "C" MASH_EXPORT const mash_plugin_info_t mash_plugin = make_plugin();
