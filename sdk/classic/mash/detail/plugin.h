/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a plugin of a classic heuristic: the C ABI of mash/abi on one side, class Heuristic on the other. */
#ifndef MASH_CLASSIC_DETAIL_PLUGIN_H
#define MASH_CLASSIC_DETAIL_PLUGIN_H

#include <exception>
#include <map>
#include <new>

#include "../heuristic.h"
#include "current_host.h"
#include "default_names.h"
#include "mash/abi/entry.h"
#include "session.h"

#ifndef MASH_CLASSIC_AUTHOR
#define MASH_CLASSIC_AUTHOR "unknown"
#endif
#if defined(MASH_CLASSIC_ID) && !defined(MASH_CLASSIC_VERSION)
#define MASH_CLASSIC_VERSION "1.0.0"
#endif
#ifndef MASH_CLASSIC_LICENSE
#define MASH_CLASSIC_LICENSE "NOASSERTION"
#endif

namespace Mash {
namespace sdk_detail {

/* Behind mash_instance_t: a session for each view size met. */
class Instance {
 public:
  Instance(const mash_host_t* host, unsigned int seed) : host_(host), seed_(seed), current_(0) {}

  ~Instance() {
    for (Sessions::iterator i = sessions_.begin(); i != sessions_.end(); ++i) delete i->second;
  }

  const mash_host_t* host() const { return host_; }

  unsigned int dim(const mash_size_t& size) { return session(side_of(size)).dim(); }

  void prepare(const mash_image_t& image, const mash_view_t& view) {
    const mash_size_t size = {view.width, view.height};
    const unsigned int side = side_of(size);
    Session& next = session(side);
    current_ = 0;
    next.prepare(square(image, view, side));
    current_ = &next;
  }

  void compute(const uint32_t* indices, uint32_t num_features, float* out) {
    for (uint32_t i = 0; i < num_features; ++i) out[i] = current_->compute(indices ? indices[i] : i);
  }

  void release() {
    Session* session = current_;
    current_ = 0;
    session->finish();
  }

 private:
  typedef std::map<unsigned int, Session*> Sessions;

  Instance(const Instance&);
  Instance& operator=(const Instance&);

  /* A region of interest has an odd side. The view is cut, not scaled, so that its pixels stay what they are.
   */
  static unsigned int side_of(const mash_size_t& size) {
    const unsigned int side = size.width < size.height ? size.width : size.height;
    return side % 2 == 0 ? side - 1 : side;
  }

  Session& session(unsigned int side) {
    Session*& session = sessions_[side];
    if (!session) session = new Session((side - 1) / 2, seed_);
    return *session;
  }

  static byte_t at(const mash_plane_t& plane, unsigned int x, unsigned int y) {
    return plane.origin[(ptrdiff_t)y * plane.row_stride + (ptrdiff_t)x * plane.column_stride];
  }

  /* The centred square of the view, in colour and grey; the host's grey plane is the conversion of the
   * original, (11 R + 16 G + 5 B) >> 5. Of an even rest, the smaller half is cut off left and above. */
  static Image* square(const mash_image_t& image, const mash_view_t& view, unsigned int side) {
    Image* copy = new Image(side, side);
    copy->addPixelFormats(Image::PIXELFORMAT_ALL);
    const unsigned int left = view.x + (view.width - side) / 2;
    const unsigned int top = view.y + (view.height - side) / 2;
    for (unsigned int y = 0; y < side; ++y) {
      for (unsigned int x = 0; x < side; ++x) {
        RGBPixel_t& pixel = copy->rgbLines()[y][x];
        pixel.r = at(image.red, left + x, top + y);
        pixel.g = at(image.green, left + x, top + y);
        pixel.b = at(image.blue, left + x, top + y);
        copy->grayLines()[y][x] = at(image.gray, left + x, top + y);
      }
    }
    return copy;
  }

  const mash_host_t* host_;
  unsigned int seed_;
  Session* current_; /* with its eyes on a picture, or null */
  Sessions sessions_;
};

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

inline Instance* instance_of(mash_instance_t* handle) { return reinterpret_cast<Instance*>(handle); }
inline Instance* instance_of(mash_state_t* state) { return reinterpret_cast<Instance*>(state); }

extern "C" {

static int32_t mash_classic_create(const mash_host_t* host, const double* values, uint32_t,
                                   mash_instance_t** out) {
  const HostScope scope(host);
  try {
    *out = reinterpret_cast<mash_instance_t*>(new Instance(host, (unsigned int)values[0]));
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
    return report_exception(instance_of(handle)->host());
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
    /* Cannot fail, says the ABI: the next prepare starts afresh whatever happened here. */
  }
}

static void mash_classic_destroy(mash_instance_t* handle) {
  const HostScope scope(instance_of(handle)->host());
  try {
    delete instance_of(handle);
  } catch (...) {
  }
}

}  // extern "C"

/* Everything below is constant data, as the handshake demands; the text in default_names is filled in at
 * load. */
#ifndef MASH_CLASSIC_ID
static const DefaultNames default_names(__BASE_FILE__);
#define MASH_CLASSIC_ID default_names.id
#ifndef MASH_CLASSIC_VERSION
#define MASH_CLASSIC_VERSION default_names.version
#endif
#endif

static const mash_parameter_t parameters[] = {{"seed",
                                               "where the random numbers that the heuristic draws start",
                                               MASH_PARAMETER_INTEGER, 0, 1, 0, 2147483647, 0}};

/* clang-format off */
static const mash_heuristic_t descriptor = {
    sizeof(mash_heuristic_t), MASH_SERIAL,
    MASH_CLASSIC_ID, MASH_CLASSIC_VERSION, MASH_CLASSIC_AUTHOR,
    "a heuristic of the classic MASH interface", MASH_CLASSIC_LICENSE,
    parameters, 1,
    &mash_classic_create, &mash_classic_dim, &mash_classic_prepare,
    &mash_classic_compute, &mash_classic_release, &mash_classic_destroy, 0};
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
