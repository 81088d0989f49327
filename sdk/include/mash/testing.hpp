// SPDX-License-Identifier: Apache-2.0
//
// For the test of a heuristic: a small program that is linked with the heuristic's own source, draws a
// picture, and compares the features with numbers that were worked out by hand.
//
//   #include <mash/testing.hpp>
//   using namespace mash::testing;
//
//   int main() {
//     Tested heuristic;
//     const Picture white(8, 8, [](unsigned, unsigned) { return 255; });
//     MASH_CHECK(heuristic.dim(8, 8) == 1);
//     MASH_CHECK_NEAR(heuristic.features(white)[0], 255, 1e-4);
//     return result();
//   }
//
// It goes through the same C interface as the host, so modern and classic heuristics are tested alike.
#ifndef MASH_TESTING_HPP
#define MASH_TESTING_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "abi/entry.h"
#include "abi/sequence.h"

// These go on after a failure, so that one run shows all that is wrong.
#define MASH_CHECK(condition) ::mash::testing::check((condition), __FILE__, __LINE__, #condition)
#define MASH_CHECK_NEAR(found, expected, tolerance) \
  ::mash::testing::check_near((found), (expected), (tolerance), __FILE__, __LINE__, #found)

namespace mash {
namespace testing {

struct Colour {
  int red, green, blue;  // 0 to 255
};

// A picture made pixel by pixel: pixel(x, y) is a grey value of 0 to 255 or a Colour. x runs to the right, y
// down.
class Picture {
 public:
  Picture(unsigned width, unsigned height, const std::function<int(unsigned, unsigned)>& gray)
      : Picture(width, height, 1, [&](unsigned x, unsigned y) {
          const int value = gray(x, y);
          return Colour{value, value, value};
        }) {}
  Picture(unsigned width, unsigned height, const std::function<Colour(unsigned, unsigned)>& colour)
      : Picture(width, height, 3, colour) {}
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  // Valid as long as the picture is.
  mash_image_t image() const {
    const auto plane = [this](const std::vector<std::uint8_t>& bytes) {
      return mash_plane_t{bytes.data(), std::ptrdiff_t(width_), 1};
    };
    return {std::uint32_t(sizeof(mash_image_t)),
            num_channels_,
            width_,
            height_,
            plane(gray_),
            plane(red_),
            plane(green_),
            plane(blue_)};
  }
  mash_size_t size() const { return {width_, height_}; }
  // "28x28 pixels, grey values from 0 to 255".
  std::string describe() const {
    const auto range = std::minmax_element(gray_.begin(), gray_.end());
    return std::to_string(width_) + "x" + std::to_string(height_) + " pixels, grey values from " +
           std::to_string(*range.first) + " to " + std::to_string(*range.second);
  }

 private:
  template <class Pixel>
  Picture(unsigned width, unsigned height, unsigned num_channels, const Pixel& pixel)
      : width_(width), height_(height), num_channels_(num_channels) {
    for (unsigned y = 0; y < height; ++y)
      for (unsigned x = 0; x < width; ++x) {
        const Colour colour = pixel(x, y);
        // The grey value of a coloured pixel, as MASH has it.
        gray_.push_back(std::uint8_t((11 * colour.red + 16 * colour.green + 5 * colour.blue) >> 5));
        red_.push_back(std::uint8_t(colour.red));
        green_.push_back(std::uint8_t(colour.green));
        blue_.push_back(std::uint8_t(colour.blue));
      }
  }

  std::uint32_t width_, height_, num_channels_;
  std::vector<std::uint8_t> gray_, red_, green_, blue_;
};

// The heuristic that this program is linked with, with its default settings or some of them replaced:
// Tested heuristic({{"cell", 4}}). Ends the program with a message where a call fails.
class Tested {
 public:
  explicit Tested(const std::map<std::string, double>& settings = {})
      : functions_(*mash_plugin.heuristics[0]) {
    std::vector<double> values;
    std::map<std::string, double> unused = settings;
    for (std::uint32_t i = 0; i < functions_.num_parameters; ++i) {
      const mash_parameter_t& parameter = functions_.parameters[i];
      const auto found = unused.find(parameter.id);
      values.push_back(found == unused.end() ? parameter.default_value : found->second);
      if (found != unused.end()) unused.erase(found);
    }
    if (!unused.empty()) stop("settings", "no parameter '" + unused.begin()->first + "'");
    require("create", functions_.create(&host_, values.data(), std::uint32_t(values.size()), &instance_));
  }
  ~Tested() { functions_.destroy(instance_); }
  Tested(const Tested&) = delete;
  Tested& operator=(const Tested&) = delete;

  std::uint32_t dim(unsigned width, unsigned height) {
    std::uint32_t dim = 0;
    require("dim", functions_.dim(instance_, {width, height}, &dim));
    return dim;
  }

  // All features of the picture, in order.
  std::vector<float> features(const Picture& picture) {
    return features(picture, nullptr, dim(picture.size().width, picture.size().height));
  }
  // Those of each picture of a film, the first one first.
  std::vector<std::vector<float>> film(const std::vector<const Picture*>& pictures) {
    std::vector<std::vector<float>> all;
    const std::uint32_t looks_back = looks_back_of(functions_);
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      frame_ = {i < looks_back ? std::uint32_t(i) : looks_back, 0, i + 1 == pictures.size()};
      all.push_back(features(*pictures[i]));
    }
    frame_ = {0, 0, 1};
    return all;
  }
  // Those with these numbers, in their order.
  std::vector<float> features(const Picture& picture, const std::vector<std::uint32_t>& numbers) {
    return features(picture, numbers.data(), std::uint32_t(numbers.size()));
  }

 private:
  std::vector<float> features(const Picture& picture, const std::uint32_t* numbers, std::uint32_t count) {
    std::vector<float> out(count);
    const mash_image_t image = picture.image();
    const mash_view_t view = {0, 0, picture.size().width, picture.size().height};
    mash_state_t* state = nullptr;
    require("prepare", functions_.prepare(instance_, &image, &view, &state));
    require("compute", functions_.compute(state, numbers, count, out.data()));
    functions_.release(state);
    return out;
  }
  [[noreturn]] static void stop(const char* call, const std::string& reason) {
    std::fprintf(stderr, "%s: %s\n", call, reason.c_str());
    std::exit(1);
  }
  void require(const char* call, std::int32_t status) const {
    if (status != MASH_OK) stop(call, error_);
  }

  static void set_error(void* context, const char* text) {
    static_cast<Tested*>(context)->error_ = text ? text : "";
  }
  static void log(void*, const char* text) { std::fprintf(stderr, "%s\n", text ? text : ""); }
  static const void* get_extension(void*, const char* name) {
    static const mash_frames_t frames = {std::uint32_t(sizeof(mash_frames_t)), 0, &num_cameras, &frame};
    return std::string(name) == MASH_SEQUENCE ? &frames : nullptr;
  }
  static std::uint32_t num_cameras(void*) { return 1; }
  static mash_frame_t frame(void* context) { return static_cast<Tested*>(context)->frame_; }
  static std::uint32_t looks_back_of(const mash_heuristic_t& functions) {
    const void* table = functions.get_extension ? functions.get_extension(MASH_SEQUENCE) : nullptr;
    return table ? static_cast<const mash_sequence_t*>(table)->looks_back : 0;
  }

  const mash_heuristic_t& functions_;
  const mash_host_t host_{
      std::uint32_t(sizeof(mash_host_t)), MASH_ABI_VERSION, this, &set_error, &log, &get_extension};
  mash_instance_t* instance_ = nullptr;
  mash_frame_t frame_ = {0, 0, 1};
  std::string error_ = "it fails and says nothing";
};

inline int& num_failures() {
  static int count = 0;
  return count;
}

inline void check(bool holds, const char* file, int line, const std::string& text) {
  if (holds) return;
  ++num_failures();
  std::fprintf(stderr, "%s:%d: %s\n", file, line, text.c_str());
}

inline void check_near(double found, double expected, double tolerance, const char* file, int line,
                       const char* expression) {
  check(std::abs(found - expected) <= tolerance, file, line,
        std::string(expression) + " is " + std::to_string(found) + ", expected " + std::to_string(expected));
}

// The exit code for main: 0 where every check held.
inline int result() {
  if (num_failures() > 0) std::fprintf(stderr, "%d checks failed\n", num_failures());
  return num_failures() == 0 ? 0 : 1;
}

// Whether all features are finite; else the first that is not is told, once for the picture.
inline bool check_finite(const std::vector<float>& features, const Picture& picture) {
  const auto is_fault = [](float feature) { return !std::isfinite(feature); };
  const auto first = std::find_if(features.begin(), features.end(), is_fault);
  if (first == features.end()) return true;
  check(false, __FILE__, __LINE__,
        "feature " + std::to_string(first - features.begin()) + " is " + std::to_string(*first) + " (" +
            std::to_string(std::count_if(first, features.end(), is_fault)) + " of " +
            std::to_string(features.size()) + " are not finite) on a picture of " + picture.describe());
  return false;
}

// The contract of every heuristic on every picture: it has features, which are finite, and the same once
// more, after another picture, in any order and one by one.
inline void check_contract(Tested& heuristic, const Picture& picture) {
  const std::uint32_t dim = heuristic.dim(picture.size().width, picture.size().height);
  MASH_CHECK(dim > 0);
  if (dim == 0) return;
  const std::vector<float> features = heuristic.features(picture);
  if (!check_finite(features, picture)) return;
  const Picture other(picture.size().width + 1, picture.size().height,
                      [](unsigned x, unsigned y) { return int((37 * x + 101 * y) % 256); });
  heuristic.features(other);
  MASH_CHECK(heuristic.features(picture) == features);
  std::vector<std::uint32_t> backwards;
  for (std::uint32_t i = dim; i > 0; --i) backwards.push_back(i - 1);
  MASH_CHECK(heuristic.features(picture, backwards) ==
             std::vector<float>(features.rbegin(), features.rend()));
  MASH_CHECK(heuristic.features(picture, {dim - 1})[0] == features[dim - 1]);
}

}  // namespace testing
}  // namespace mash

#endif
