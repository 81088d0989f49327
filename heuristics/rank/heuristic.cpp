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
      mash::integer("radius", "windows are 2 radius + 1 pixels wide and high", 2, 1, 5),
  };

  explicit Rank(const mash::Parameters& parameters) : radius_(std::int32_t(parameters.integer("radius"))) {}

  std::uint32_t dim(mash::Size size) const override { return size.width * size.height; }

 private:
  void compute_values(const mash::View& view, std::span<float> values) override {
    const mash::Size size = {view.width(), view.height()};
    pixels_.read(view.gray(), size, std::uint32_t(radius_));
    ranks_.resize(size.width);
    float* out = values.data();
    for (std::uint32_t y = 0; y < size.height; ++y, out += size.width) {
      const std::uint8_t* centre = pixels_.row(y);
      std::fill(ranks_.begin(), ranks_.end(), std::int8_t(0));
      for (std::int32_t dy = -radius_; dy <= radius_; ++dy)
        for (std::int32_t dx = -radius_; dx <= radius_; ++dx) {
          const std::uint8_t* other = centre + dy * pixels_.stride() + dx;
          for (std::uint32_t x = 0; x < size.width; ++x)
            ranks_[x] = std::int8_t(ranks_[x] + (other[x] < centre[x]) - (other[x] > centre[x]));
        }
      std::copy(ranks_.begin(), ranks_.end(), out);
    }
  }

  std::int32_t radius_;
  mash::heuristics::Pixels pixels_;
  std::vector<std::int8_t> ranks_;  // of a row; at most 11 * 11 - 1 to either side
};

}  // namespace

MASH_HEURISTIC(Rank, "rank", "1.0.0", "MASH", "rank transform of every pixel", "Apache-2.0")
