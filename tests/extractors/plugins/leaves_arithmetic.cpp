// SPDX-License-Identifier: Apache-2.0
#include <cfenv>
#include <iterator>

#include "raw.hpp"
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

// Leaves the thread's arithmetic changed by the call that the parameters name.
namespace {
constexpr const char* kCalls[] = {"create", "dim", "prepare", "compute", "release", "destroy"};
constexpr const char* kChanges[] = {"upward", "downward", "to-zero", "flush"};
enum Call { kCreate, kDim, kPrepare, kCompute, kRelease, kDestroy };

constexpr mash_parameter_t kParameters[] = {
    {"call", "which call", MASH_PARAMETER_CHOICE, std::size(kCalls), 0, 0, std::size(kCalls) - 1, kCalls},
    {"change", "what it changes", MASH_PARAMETER_CHOICE, std::size(kChanges), 0, 0, std::size(kChanges) - 1,
     kChanges}};

struct Changer : raw::Instance {
  int call = 0, change = 0;
};
Changer& changer(void* handle) { return *static_cast<Changer*>(handle); }

void change_in(Call call, const Changer& changer) {
  if (changer.call != call) return;
  constexpr int kModes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  if (changer.change < int(std::size(kModes))) std::fesetround(kModes[changer.change]);
#if defined(__SSE__)
  constexpr unsigned kFlushToZero = 0x8000;
  if (changer.change == int(std::size(kModes))) _mm_setcsr(_mm_getcsr() | kFlushToZero);
#endif
}

std::int32_t create(const mash_host_t* host, const double* values, std::uint32_t, mash_instance_t** out) {
  auto* made = new Changer;
  made->host = host;
  made->call = int(values[0]);
  made->change = int(values[1]);
  change_in(kCreate, *made);
  *out = reinterpret_cast<mash_instance_t*>(made);
  return MASH_OK;
}
std::int32_t dim(mash_instance_t* handle, mash_size_t size, std::uint32_t* out) {
  change_in(kDim, changer(handle));
  return raw::dim(handle, size, out);
}
std::int32_t prepare(mash_instance_t* handle, const mash_image_t* image, const mash_view_t* view,
                     mash_state_t** out) {
  change_in(kPrepare, changer(handle));
  return raw::prepare(handle, image, view, out);
}
std::int32_t compute(mash_state_t* state, const std::uint32_t* indices, std::uint32_t num_features,
                     float* out) {
  change_in(kCompute, changer(state));
  return raw::compute(state, indices, num_features, out);
}
void release(mash_state_t* state) { change_in(kRelease, changer(state)); }
void destroy(mash_instance_t* handle) {
  change_in(kDestroy, changer(handle));
  delete &changer(handle);
}
}  // namespace

RAW_PLUGIN("leaves-arithmetic", h.parameters = kParameters; h.num_parameters = 2; h.create = &create;
           h.dim = &dim; h.prepare = &prepare; h.compute = &compute; h.release = &release;
           h.destroy = &destroy)
