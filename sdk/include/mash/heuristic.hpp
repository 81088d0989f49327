// SPDX-License-Identifier: Apache-2.0
//
// The C++20 way to write a heuristic. Derive from mash::Heuristic, override dim and compute (and prepare when
// there is work per image), and end the file with MASH_HEURISTIC:
//
//   struct MeanBrightness final : mash::Heuristic {
//     std::uint32_t dim(mash::Size) const override { return 1; }
//     void compute(const mash::View& view, std::span<const std::uint32_t>, std::span<float> out) override {
//       double sum = 0;
//       for (std::uint32_t y = 0; y < view.height(); ++y)
//         for (std::uint32_t x = 0; x < view.width(); ++x) sum += view.gray()(x, y);
//       for (float& value : out) value = float(sum / (view.width() * view.height()));
//     }
//   };
//   MASH_HEURISTIC(MeanBrightness, "mean-brightness", "1.0.0", "Your Name", "mean grey value", "MIT")
//
// Nothing here crosses the ABI: exceptions are caught, memory stays on the plugin's side.
#ifndef MASH_HEURISTIC_HPP
#define MASH_HEURISTIC_HPP

#if __cplusplus < 202002L
#error "mash/heuristic.hpp needs C++20: compile with -std=c++20 (GCC 11, Clang 12 or later)"
#endif

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "abi/entry.h"
#include "abi/image_maps.h"
#include "abi/sequence.h"

namespace mash {

using Size = mash_size_t;

// Thrown from a constructor or dim, which alone may: it cannot work with these parameters or this view size.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One of an image's planes, cut to the view: plane(x, y) with 0 <= x < width, 0 <= y < height.
class Plane {
 public:
  Plane() = default;
  Plane(const mash_plane_t& plane, const mash_view_t& view)
      : origin_(plane.origin + std::ptrdiff_t(view.y) * plane.row_stride +
                std::ptrdiff_t(view.x) * plane.column_stride),
        row_stride_(plane.row_stride),
        column_stride_(plane.column_stride) {}

  std::uint8_t operator()(std::uint32_t x, std::uint32_t y) const {
    return origin_[std::ptrdiff_t(y) * row_stride_ + std::ptrdiff_t(x) * column_stride_];
  }
  const std::uint8_t* row(std::uint32_t y) const { return origin_ + std::ptrdiff_t(y) * row_stride_; }
  std::ptrdiff_t row_stride() const { return row_stride_; }        // bytes
  std::ptrdiff_t column_stride() const { return column_stride_; }  // bytes

 private:
  const std::uint8_t* origin_ = nullptr;
  std::ptrdiff_t row_stride_ = 0;
  std::ptrdiff_t column_stride_ = 0;
};

// A map of the image (abi/image_maps.h) from the view's first sample on; empty where the host has none.
template <class T>
struct SharedMap {
  const T* origin = nullptr;
  std::size_t row_stride = 0;  // in T

  explicit operator bool() const { return origin != nullptr; }
  const T* row(std::uint32_t y) const { return origin + y * row_stride; }
};

// The part of an image that the heuristic sees. Valid during prepare and compute; it owns nothing.
class View {
 public:
  View() = default;
  View(const mash_image_t& image, const mash_view_t& view, const mash_image_maps_t* maps = nullptr,
       const mash_frame_t& frame = {0, 0, 1}, std::uint32_t num_cameras = 1)
      : image_(&image),
        maps_(maps),
        frame_(frame),
        num_cameras_(num_cameras),
        x_(view.x),
        y_(view.y),
        gray_(image.gray, view),
        red_(image.red, view),
        green_(image.green, view),
        blue_(image.blue, view),
        width_(view.width),
        height_(view.height),
        num_channels_(image.num_channels) {}

  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  std::uint32_t num_channels() const { return num_channels_; }  // of the source: 1 (grey) or 3 (colour)
  const Plane& gray() const { return gray_; }
  const Plane& red() const { return red_; }
  const Plane& green() const { return green_; }
  const Plane& blue() const { return blue_; }

  // The pictures of its sequence that prepare was given right before it, at most `looks_back`. 0: it stands
  // alone, or is the first; forget what you have seen.
  std::uint32_t num_before() const { return frame_.num_before; }
  std::uint32_t camera() const { return frame_.camera; }      // that took it, < num_cameras()
  std::uint32_t num_cameras() const { return num_cameras_; }  // that take turns in the sequence

  // Maps that the host makes once per image for all heuristics. Sums are of the image, so only their
  // differences count; gradients at the border of the view may have looked at samples beyond it.
  SharedMap<std::uint32_t> integral() const { return map(maps_ ? maps_->integral(image_) : nullptr, 1, 1); }
  SharedMap<std::uint64_t> integral_of_squares() const {
    return map(maps_ ? maps_->integral_of_squares(image_) : nullptr, 1, 1);
  }
  SharedMap<std::int16_t> gradient() const { return map(maps_ ? maps_->gradient(image_) : nullptr, 0, 2); }

 private:
  // columns_more: that a row has beyond the image's width. size: of an entry, in T.
  template <class T>
  SharedMap<T> map(const T* whole, std::size_t columns_more, std::size_t size) const {
    if (whole == nullptr) return {};
    const std::size_t row_stride = (image_->width + columns_more) * size;
    return {whole + y_ * row_stride + x_ * size, row_stride};
  }

  const mash_image_t* image_ = nullptr;
  const mash_image_maps_t* maps_ = nullptr;
  mash_frame_t frame_{0, 0, 1};
  std::uint32_t num_cameras_ = 1;
  std::size_t x_ = 0, y_ = 0;
  Plane gray_, red_, green_, blue_;
  std::uint32_t width_ = 0, height_ = 0, num_channels_ = 0;
};

// Declares a setting: put `static constexpr auto parameters = std::array{mash::integer(...), ...};` in the
// class and take `const mash::Parameters&` in its constructor.
constexpr mash_parameter_t integer(const char* id, const char* summary, long long default_value,
                                   long long minimum, long long maximum) {
  return {id,     summary, MASH_PARAMETER_INTEGER, 0, double(default_value), double(minimum), double(maximum),
          nullptr};
}
constexpr mash_parameter_t real(const char* id, const char* summary, double default_value, double minimum,
                                double maximum) {
  return {id, summary, MASH_PARAMETER_REAL, 0, default_value, minimum, maximum, nullptr};
}
// `choices` must be a static array of names; default_value is an index into it.
template <std::size_t N>
constexpr mash_parameter_t choice(const char* id, const char* summary, std::size_t default_value,
                                  const std::array<const char*, N>& choices) {
  return {id, summary,       MASH_PARAMETER_CHOICE, std::uint32_t(N), double(default_value),
          0,  double(N - 1), choices.data()};
}

// The values of a heuristic's settings, by id. Throws std::out_of_range for an id that was not declared.
// Valid in the constructor that gets it; keep the values, not this.
class Parameters {
 public:
  Parameters(std::span<const mash_parameter_t> declared, std::span<const double> values)
      : declared_(declared), values_(values) {}

  long long integer(std::string_view id) const { return static_cast<long long>(value(id)); }
  double real(std::string_view id) const { return value(id); }
  std::size_t choice(std::string_view id) const { return static_cast<std::size_t>(value(id)); }

 private:
  double value(std::string_view id) const {
    for (std::size_t i = 0; i < declared_.size(); ++i)
      if (id == declared_[i].id) return values_[i];
    throw std::out_of_range("parameter '" + std::string(id) + "' is not declared");
  }
  std::span<const mash_parameter_t> declared_;
  std::span<const double> values_;
};

// Life cycle: constructor, then dim at any time, then { prepare, compute* }* , destructor; one thread at a
// time.
//
// A heuristic of films, which looks at the pictures before one as well, says how many in its class, such as
//   static constexpr std::uint32_t looks_back = 1;
// prepare is then called for these before it is called for the picture, without a compute, and keeps what it
// needs of them; View::num_before tells how many there were.
class Heuristic {
 public:
  Heuristic() = default;
  Heuristic(const Heuristic&) = delete;
  Heuristic& operator=(const Heuristic&) = delete;
  virtual ~Heuristic() = default;

  // The number of features for views of this size, >= 1. Depends on the parameters and the size only.
  virtual std::uint32_t dim(Size view_size) const = 0;

  // Work that is per image: called once per view, before any compute.
  virtual void prepare(const View& view) { (void)view; }

  // out[i] = the feature features[i] of the prepared view; features.size() == out.size().
  virtual void compute(const View& view, std::span<const std::uint32_t> features, std::span<float> out) = 0;

  // All features in order. Override when that is faster than asking for each index.
  virtual void compute_all(const View& view, std::span<float> out) {
    if (all_.size() != out.size()) {
      all_.resize(out.size());
      std::iota(all_.begin(), all_.end(), 0u);
    }
    compute(view, all_, out);
  }

 private:
  std::vector<std::uint32_t> all_;
};

}  // namespace mash

#include "detail/plugin.hpp"

// Makes the plugin's one exported symbol. Once per plugin, at file scope.
#define MASH_HEURISTIC(Class, id, version, author, summary, license)          \
  namespace {                                                                 \
  constexpr mash_heuristic_t kMashDescriptor =                                \
      ::mash::detail::describe<Class>(id, version, author, summary, license); \
  constexpr const mash_heuristic_t* kMashDescriptors[] = {&kMashDescriptor};  \
  }                                                                           \
  extern "C" MASH_EXPORT const mash_plugin_info_t mash_plugin = {MASH_PLUGIN_HANDSHAKE, 1, kMashDescriptors};

#endif
