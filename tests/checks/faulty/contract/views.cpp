// SPDX-License-Identifier: Apache-2.0
#include "tests/extractors/plugins/raw.hpp"

// Looks at the first row of the image, wherever the view is.
namespace {
struct Eye : raw::Instance {
  const mash_image_t* image = nullptr;
};

std::int32_t create(const mash_host_t* host, const double*, std::uint32_t, mash_instance_t** out) {
  Eye* eye = new Eye;
  eye->host = host;
  *out = reinterpret_cast<mash_instance_t*>(eye);
  return MASH_OK;
}
std::int32_t prepare(mash_instance_t* handle, const mash_image_t* image, const mash_view_t*,
                     mash_state_t** out) {
  reinterpret_cast<Eye*>(handle)->image = image;
  *out = reinterpret_cast<mash_state_t*>(handle);
  return MASH_OK;
}
std::int32_t compute(mash_state_t* state, const std::uint32_t* indices, std::uint32_t num_features,
                     float* out) {
  const mash_plane_t& gray = reinterpret_cast<Eye*>(state)->image->gray;
  for (std::uint32_t i = 0; i < num_features; ++i)
    out[i] = gray.origin[std::ptrdiff_t(indices ? indices[i] : i) * gray.column_stride];
  return MASH_OK;
}
void destroy(mash_instance_t* handle) { delete reinterpret_cast<Eye*>(handle); }
}  // namespace

RAW_PLUGIN("test-faulty", h.create = &create; h.prepare = &prepare; h.compute = &compute;
           h.destroy = &destroy)
