// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "heuristics/common/pixels.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

// The rank transform (Zabih & Woodfill 1994) of every grey pixel, both ways: how many pixels of the window
// around it are darker less how many are brighter. Beyond the border the outermost pixels repeat.
class Rank final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr auto parameters = std::array{
      mash::integer("radius", "windows are 2 radius + 1 pixels wide and high", 5, 1, 5),
  };

  explicit Rank(const mash::Parameters& parameters) : radius_(std::int32_t(parameters.integer("radius"))) {}

  std::uint32_t dim(mash::Size size) const override { return size.width * size.height; }

 private:
  void compute_values(const mash::View& view, std::span<float> values) override {
    const mash::Size size = {view.width(), view.height()};
    pixels_.read(view.gray(), size, std::uint32_t(radius_));
    const std::ptrdiff_t stride = pixels_.stride();
    // All rows at once, with what lies between them: one long loop for each of the window's pixels.
    ranks_.assign(std::size_t(stride) * (size.height - 1) + size.width, std::int8_t(0));
    // Kept apart from the members, which bytes may alias as far as the compiler knows.
    std::int8_t* const ranks = ranks_.data();
    const std::size_t n = ranks_.size();
    for (std::int32_t dy = -radius_; dy <= radius_; ++dy)
      for (std::int32_t dx = -radius_; dx <= radius_; ++dx) {
        const std::uint8_t *centre = pixels_.row(0), *other = centre + dy * stride + dx;
        for (std::size_t i = 0; i < n; ++i)
          ranks[i] = std::int8_t(ranks[i] + (other[i] < centre[i]) - (other[i] > centre[i]));
      }
    for (std::uint32_t y = 0; y < size.height; ++y)
      std::copy_n(ranks_.begin() + std::ptrdiff_t(y) * stride, size.width,
                  values.begin() + std::ptrdiff_t(y) * std::ptrdiff_t(size.width));
  }

  std::int32_t radius_;
  mash::heuristics::Pixels pixels_;
  std::vector<std::int8_t> ranks_;  // at most 11 * 11 - 1 to either side
};

}  // namespace

MASH_HEURISTIC(Rank, "rank", "1.0.0", "MASH", "rank transform of every pixel", "Apache-2.0")
