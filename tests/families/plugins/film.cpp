// SPDX-License-Identifier: Apache-2.0
// A heuristic that tells by its features what it was shown: the first pixel of the picture and of the three
// before it (-1 where there are none), how many it was told of, the camera, and the number of cameras.
#include <array>
#include <deque>
#include <mash/heuristic.hpp>

namespace {

class Film final : public mash::Heuristic {
 public:
  static constexpr std::uint32_t looks_back = 3;
  // At a picture whose first pixel is 200; "remembers": the pixel of the first picture too.
  static constexpr std::array kTroubles{"none", "fails", "crashes", "remembers"};
  static constexpr auto parameters = std::array{mash::choice("trouble", "what goes wrong", 0, kTroubles)};

  explicit Film(const mash::Parameters& parameters) : trouble_(kTroubles[parameters.choice("trouble")]) {}

  std::uint32_t dim(mash::Size) const override { return kDim; }

  void prepare(const mash::View& view) override {
    const std::uint8_t pixel = view.gray()(0, 0);
    if (view.num_before() == 0) {
      seen_.clear();
      first_ = pixel;
    }
    if (pixel == 200 && trouble_ == "fails") throw std::runtime_error("a picture that it cannot work on");
    if (pixel == 200 && trouble_ == "crashes") *static_cast<volatile char*>(nullptr) = 1;
    seen_.push_front(pixel);
    if (seen_.size() > looks_back + 1) seen_.pop_back();
  }

  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) out[i] = feature(view, features[i]);
  }

 private:
  static constexpr std::uint32_t kDim = looks_back + 4;

  float feature(const mash::View& view, std::uint32_t number) const {
    if (number <= looks_back) return number < seen_.size() ? float(seen_[number]) : -1;
    if (number == looks_back + 1) return float(view.num_before()) + (trouble_ == "remembers" ? first_ : 0);
    return float(number == looks_back + 2 ? view.camera() : view.num_cameras());
  }

  std::string_view trouble_;
  std::deque<std::uint8_t> seen_;  // newest first
  float first_ = 0;
};

}  // namespace

MASH_HEURISTIC(Film, "test/film", "1.0.0", "MASH", "what it was shown of a film", "Apache-2.0")
