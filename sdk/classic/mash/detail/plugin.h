/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a plugin of a classic heuristic: the C ABI of mash/abi on one side, class Heuristic on the other. */
#ifndef MASH_CLASSIC_DETAIL_PLUGIN_H
#define MASH_CLASSIC_DETAIL_PLUGIN_H

#include <exception>
#include <new>
#include <stdexcept>

#include "../heuristic.h"
#include "current_host.h"
#include "default_names.h"
#include "instance.h"
#include "mash/abi/entry.h"
#include "mash/abi/sequence.h"
#include "mash/abi/whole_image.h"

/* What the names are made of where the build gives none. */
#ifndef MASH_CLASSIC_FILE
#define MASH_CLASSIC_FILE __BASE_FILE__
#endif
#if defined(MASH_CLASSIC_ID) && !defined(MASH_CLASSIC_VERSION)
#define MASH_CLASSIC_VERSION "1.0.0"
#endif
#ifndef MASH_CLASSIC_LICENSE
#define MASH_CLASSIC_LICENSE "NOASSERTION"
#endif

namespace Mash {
namespace sdk_detail {

/* For the length of a call, what the heuristic logs goes to this host. */
class HostScope {
 public:
  explicit HostScope(const mash_host_t* host) { current_host().host = host; }
  ~HostScope() { current_host().host = 0; }
};

/* Inside a catch block: turns what was thrown into a status and a text. */
inline int32_t report_exception(const mash_host_t* host) {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    host->set_error(host->context, "out of memory");
    return MASH_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    host->set_error(host->context, error.what());
  } catch (...) {
    host->set_error(host->context, "threw something that is not a std::exception");
  }
  return MASH_ERROR;
}

/* The same where a heuristic cannot work on a size: many take memory for numbers that are negative then. */
inline int32_t report_size(const mash_host_t* host) {
  const char* why = "it cannot get the memory that it wants for this size";
  try {
    throw;
  } catch (const Unsupported& refusal) {
    why = refusal.why;
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  } catch (...) {
    return report_exception(host);
  }
  host->set_error(host->context, why);
  return MASH_UNSUPPORTED;
}

inline Instance* instance_of(mash_instance_t* handle) { return reinterpret_cast<Instance*>(handle); }
inline Instance* instance_of(mash_state_t* state) { return reinterpret_cast<Instance*>(state); }

extern "C" {

static int32_t mash_classic_create(const mash_host_t* host, const double* values, uint32_t,
                                   mash_instance_t** out) {
  const HostScope scope(host);
  try {
    *out = reinterpret_cast<mash_instance_t*>(new Instance(host, values));
    return MASH_OK;
  } catch (...) {
    return report_exception(host);
  }
}

static int32_t mash_classic_dim(mash_instance_t* handle, mash_size_t view_size, uint32_t* out) {
  const HostScope scope(instance_of(handle)->host());
  try {
    *out = instance_of(handle)->dim(view_size);
    return MASH_OK;
  } catch (...) {
    return report_size(instance_of(handle)->host());
  }
}

static int32_t mash_classic_prepare(mash_instance_t* handle, const mash_image_t* image,
                                    const mash_view_t* view, mash_state_t** out) {
  const HostScope scope(instance_of(handle)->host());
  try {
    instance_of(handle)->prepare(*image, *view);
    *out = reinterpret_cast<mash_state_t*>(handle);
    return MASH_OK;
  } catch (...) {
    return report_exception(instance_of(handle)->host());
  }
}

static int32_t mash_classic_compute(mash_state_t* state, const uint32_t* indices, uint32_t num_features,
                                    float* out) {
  const HostScope scope(instance_of(state)->host());
  try {
    instance_of(state)->compute(indices, num_features, out);
    return MASH_OK;
  } catch (...) {
    return report_exception(instance_of(state)->host());
  }
}

static void mash_classic_release(mash_state_t* state) {
  const HostScope scope(instance_of(state)->host());
  try {
    instance_of(state)->release();
  } catch (...) {
    /* Cannot fail, says the ABI: the next prepare starts afresh after any failure here. */
  }
}

static void mash_classic_destroy(mash_instance_t* handle) {
  const HostScope scope(instance_of(handle)->host());
  try {
    delete instance_of(handle);
  } catch (...) {
  }
}

static const void* mash_classic_get_extension(const char* name) {
  static const mash_whole_image_t whole_image = {sizeof(mash_whole_image_t), 0};
  static const mash_sequence_t sequence = {sizeof(mash_sequence_t), kMaxImages - 1};
  if (strcmp(name, MASH_WHOLE_IMAGE) == 0) return &whole_image;
  return strcmp(name, MASH_SEQUENCE) == 0 ? static_cast<const void*>(&sequence) : 0;
}

}  // extern "C"

/* Everything below is constant data, as the handshake demands; the text in default_names is filled in at
 * load. */
#if !defined(MASH_CLASSIC_ID) || !defined(MASH_CLASSIC_AUTHOR)
static const DefaultNames default_names(MASH_CLASSIC_FILE);
#endif
#ifndef MASH_CLASSIC_AUTHOR
#define MASH_CLASSIC_AUTHOR default_names.author
#endif
#ifndef MASH_CLASSIC_ID
#define MASH_CLASSIC_ID default_names.id
#ifndef MASH_CLASSIC_VERSION
#define MASH_CLASSIC_VERSION default_names.version
#endif
#endif

static const char* const fits[] = {"crop", "pad"};
static const mash_parameter_t parameters[] = {
    {"seed", "where its random numbers start; 0: drawn from the experiment's seed and its id",
     MASH_PARAMETER_INTEGER, 0, 0, 0, 2147483647, 0},
    {"fit", "crop: the whole picture, and a square in its middle; pad: scaled to a square with black around",
     MASH_PARAMETER_CHOICE, 2, kCrop, kCrop, kPad, fits},
    {"extent", "of the square, whose side is 2 * extent + 1 pixels; 0: as large as the picture",
     MASH_PARAMETER_INTEGER, 0, 0, 0, 1023, 0}};

/* clang-format off */
static const mash_heuristic_t descriptor = {
    sizeof(mash_heuristic_t), MASH_SERIAL,
    MASH_CLASSIC_ID, MASH_CLASSIC_VERSION, MASH_CLASSIC_AUTHOR,
    "a heuristic of the classic MASH interface", MASH_CLASSIC_LICENSE,
    parameters, 3,
    &mash_classic_create, &mash_classic_dim, &mash_classic_prepare,
    &mash_classic_compute, &mash_classic_release, &mash_classic_destroy, &mash_classic_get_extension};
/* clang-format on */

static const mash_heuristic_t* const descriptors[] = {&descriptor};

}  // namespace sdk_detail
}  // namespace Mash

/* Weak, because every source file of the plugin makes one. */
extern "C" {
extern MASH_EXPORT const mash_plugin_info_t mash_plugin __attribute__((weak));
const mash_plugin_info_t mash_plugin = {MASH_PLUGIN_HANDSHAKE, 1, Mash::sdk_detail::descriptors};
}

#endif
