// SPDX-License-Identifier: Apache-2.0
//
// Makes a plugin of a class derived from mash::Heuristic: the functions behind the C ABI's table.
#ifndef MASH_DETAIL_PLUGIN_HPP
#define MASH_DETAIL_PLUGIN_HPP

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <span>

#include "../abi/entry.h"
#include "../heuristic.hpp"

namespace mash {
namespace detail {

// Behind mash_instance_t and mash_state_t: one live state per instance, so both are this object.
struct Instance {
  const mash_host_t* host = nullptr;
  const mash_image_maps_t* maps = nullptr;
  const mash_frames_t* frames = nullptr;  // or null: the host knows of no sequences
  std::unique_ptr<Heuristic> heuristic;
  View view;
};

inline Instance* instance_of(mash_instance_t* instance) { return reinterpret_cast<Instance*>(instance); }
inline Instance* instance_of(mash_state_t* state) { return reinterpret_cast<Instance*>(state); }

// Runs `body`; an exception becomes a status and a text.
template <class Body>
std::int32_t guarded(const mash_host_t* host, Body&& body) noexcept {
  try {
    body();
    return MASH_OK;
  } catch (const Unsupported& error) {
    host->set_error(host->context, error.what());
    return MASH_UNSUPPORTED;
  } catch (const std::bad_alloc&) {
    host->set_error(host->context, "out of memory");
    return MASH_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    host->set_error(host->context, error.what());
    return MASH_ERROR;
  } catch (...) {
    host->set_error(host->context, "threw something that is not a std::exception");
    return MASH_ERROR;
  }
}

template <class T>
constexpr std::span<const mash_parameter_t> parameters_of() {
  if constexpr (requires { T::parameters; })
    return T::parameters;
  else
    return {};
}

template <class T>
std::int32_t create(const mash_host_t* host, const double* values, std::uint32_t num_values,
                    mash_instance_t** out) noexcept {
  return guarded(host, [&] {
    auto instance = std::make_unique<Instance>();
    instance->host = host;
    instance->maps =
        static_cast<const mash_image_maps_t*>(host->get_extension(host->context, MASH_IMAGE_MAPS));
    instance->frames = static_cast<const mash_frames_t*>(host->get_extension(host->context, MASH_SEQUENCE));
    if constexpr (requires(const Parameters& p) { T(p); })
      instance->heuristic = std::make_unique<T>(Parameters(parameters_of<T>(), {values, num_values}));
    else
      instance->heuristic = std::make_unique<T>();
    *out = reinterpret_cast<mash_instance_t*>(instance.release());
  });
}

inline std::int32_t dim(mash_instance_t* handle, mash_size_t view_size, std::uint32_t* out) noexcept {
  Instance* instance = instance_of(handle);
  return guarded(instance->host, [&] { *out = instance->heuristic->dim(view_size); });
}

inline std::int32_t prepare(mash_instance_t* handle, const mash_image_t* image, const mash_view_t* view,
                            mash_state_t** out) noexcept {
  Instance* instance = instance_of(handle);
  return guarded(instance->host, [&] {
    void* context = instance->host->context;
    instance->view = instance->frames == nullptr
                         ? View(*image, *view, instance->maps)
                         : View(*image, *view, instance->maps, instance->frames->frame(context),
                                instance->frames->num_cameras(context));
    instance->heuristic->prepare(instance->view);
    *out = reinterpret_cast<mash_state_t*>(instance);
  });
}

inline std::int32_t compute(mash_state_t* state, const std::uint32_t* indices, std::uint32_t num_features,
                            float* out) noexcept {
  Instance* instance = instance_of(state);
  return guarded(instance->host, [&] {
    if (indices == nullptr)
      instance->heuristic->compute_all(instance->view, {out, num_features});
    else
      instance->heuristic->compute(instance->view, {indices, num_features}, {out, num_features});
  });
}

inline void release(mash_state_t*) noexcept {}
inline void destroy(mash_instance_t* handle) noexcept { delete instance_of(handle); }

// The extension of a heuristic that looks back.
template <class T>
const void* get_extension(const char* name) noexcept {
  static constexpr mash_sequence_t sequence = {std::uint32_t(sizeof(mash_sequence_t)), T::looks_back};
  static_assert(T::looks_back <= MASH_MAX_LOOKS_BACK);
  return std::string_view(name) == MASH_SEQUENCE ? &sequence : nullptr;
}
template <class T>
constexpr auto get_extension_of() -> const void* (*)(const char*) {
  if constexpr (requires { T::looks_back; })
    return &get_extension<T>;
  else
    return nullptr;
}

template <class T>
constexpr mash_heuristic_t describe(const char* id, const char* version, const char* author,
                                    const char* summary, const char* license) {
  const std::span<const mash_parameter_t> parameters = parameters_of<T>();
  return {std::uint32_t(sizeof(mash_heuristic_t)),
          0,
          id,
          version,
          author,
          summary,
          license,
          parameters.data(),
          std::uint32_t(parameters.size()),
          &create<T>,
          &dim,
          &prepare,
          &compute,
          &release,
          &destroy,
          get_extension_of<T>()};
}

}  // namespace detail
}  // namespace mash

#endif
