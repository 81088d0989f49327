// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <iterator>
#include <new>
#include <stdexcept>

#include "raw.hpp"

// Lets an exception out of the call that the parameters name: what only a foreign plugin does.
namespace {
constexpr const char* kCalls[] = {"none", "create", "dim", "prepare", "compute", "release", "destroy"};
constexpr const char* kKinds[] = {"int", "bad_alloc", "runtime_error"};
enum Call { kNone, kCreate, kDim, kPrepare, kCompute, kRelease, kDestroy };

constexpr mash_parameter_t kParameters[] = {{"call", "which call throws", MASH_PARAMETER_CHOICE,
                                             std::size(kCalls), 0, 0, std::size(kCalls) - 1, kCalls},
                                            {"kind", "what it throws", MASH_PARAMETER_CHOICE,
                                             std::size(kKinds), 0, 0, std::size(kKinds) - 1, kKinds}};

struct Thrower : raw::Instance {
  int call = 0, kind = 0;
};
Thrower& thrower(void* handle) { return *static_cast<Thrower*>(handle); }

void throw_if(const Thrower& thrower, Call call) {
  if (thrower.call != call) return;
  if (thrower.kind == 0) throw 42;
  if (thrower.kind == 1) throw std::bad_alloc();
  throw std::runtime_error("the plugin's own words");
}

std::int32_t create(const mash_host_t* host, const double* values, std::uint32_t, mash_instance_t** out) {
  Thrower made;
  made.host = host;
  made.call = int(values[0]);
  made.kind = int(values[1]);
  throw_if(made, kCreate);
  *out = reinterpret_cast<mash_instance_t*>(new Thrower(made));
  return MASH_OK;
}
std::int32_t dim(mash_instance_t* handle, mash_size_t size, std::uint32_t* out) {
  throw_if(thrower(handle), kDim);
  return raw::dim(handle, size, out);
}
std::int32_t prepare(mash_instance_t* handle, const mash_image_t* image, const mash_view_t* view,
                     mash_state_t** out) {
  throw_if(thrower(handle), kPrepare);
  return raw::prepare(handle, image, view, out);
}
std::int32_t compute(mash_state_t* state, const std::uint32_t* indices, std::uint32_t num_features,
                     float* out) {
  throw_if(thrower(state), kCompute);
  return raw::compute(state, indices, num_features, out);
}
void release(mash_state_t* state) { throw_if(thrower(state), kRelease); }
void destroy(mash_instance_t* handle) {
  const Thrower last = thrower(handle);
  delete &thrower(handle);
  throw_if(last, kDestroy);
}
}  // namespace

RAW_PLUGIN("throws", h.parameters = kParameters; h.num_parameters = 2; h.create = &create; h.dim = &dim;
           h.prepare = &prepare; h.compute = &compute; h.release = &release; h.destroy = &destroy)
