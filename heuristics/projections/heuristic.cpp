// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "heuristics/common/pixels.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

// Sums and changes along all rows, columns and diagonals, and the profiles from the four sides: what early
// readers of characters measured (Trier, Jain & Taxt 1996). Bright pixels are those above a threshold between
// the view's darkest and brightest.
class Projections final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr auto parameters = std::array{
      mash::real("threshold", "of bright pixels, from the darkest (0) to the brightest (1)", 0.5, 0, 1),
  };

  explicit Projections(const mash::Parameters& parameters) : threshold_(parameters.real("threshold")) {}

  std::uint32_t dim(mash::Size size) const override {
    return 2 * num_lines(size) + 2 * (size.width + size.height);
  }

 private:
  static std::uint32_t num_lines(mash::Size size) {
    return size.height + size.width + 2 * (size.width + size.height - 1);
  }

  void find_bright(mash::Size size) {
    std::uint8_t darkest = 255, brightest = 0;
    for (std::uint32_t y = 0; y < size.height; ++y) {
      const auto [low, high] = std::minmax_element(pixels_.row(y), pixels_.row(y) + size.width);
      darkest = std::min(darkest, *low);
      brightest = std::max(brightest, *high);
    }
    const float limit = float(darkest + threshold_ * (brightest - darkest));
    is_bright_.resize(std::size_t(size.width) * size.height);
    std::uint8_t* out = is_bright_.data();
    for (std::uint32_t y = 0; y < size.height; ++y)
      for (std::uint32_t x = 0; x < size.width; ++x) *out++ = pixels_.row(y)[x] > limit;
  }

  // sums and changes: rows, columns, diagonals (by x - y), antidiagonals (by x + y).
  void scan_lines(mash::Size size, float* sums, float* changes) const {
    const std::uint32_t columns = size.height, diagonals = columns + size.width + size.height - 1,
                        antidiagonals = diagonals + size.width;
    for (std::uint32_t y = 0; y < size.height; ++y)
      for (std::uint32_t x = 0; x < size.width; ++x) {
        const std::uint32_t lines[] = {y, columns + x, diagonals + x - y, antidiagonals + x + y};
        const std::size_t here = std::size_t(y) * size.width + x;
        const bool is_bright = is_bright_[here];
        for (const std::uint32_t line : lines) sums[line] += pixels_.row(y)[x];
        if (x > 0) changes[lines[0]] += is_bright != is_bright_[here - 1];
        if (y == 0) continue;
        const std::uint8_t* above = is_bright_.data() + here - size.width;
        changes[lines[1]] += is_bright != above[0];
        if (x > 0) changes[lines[2]] += is_bright != above[-1];
        if (x + 1 < size.width) changes[lines[3]] += is_bright != above[1];
      }
  }

  // How far the first bright pixel lies from the left, the right (per row), the top and the bottom (per
  // column).
  void scan_profiles(mash::Size size, float* out) const {
    float *left = out, *right = left + size.height, *top = right + size.height, *bottom = top + size.width;
    std::fill(left, top, float(size.width));
    std::fill(top, bottom + size.width, float(size.height));
    for (std::uint32_t y = 0; y < size.height; ++y)
      for (std::uint32_t x = 0; x < size.width; ++x) {
        if (!is_bright_[std::size_t(y) * size.width + x]) continue;
        left[y] = std::min(left[y], float(x));
        right[y] = std::min(right[y], float(size.width - 1 - x));
        top[x] = std::min(top[x], float(y));
        bottom[x] = std::min(bottom[x], float(size.height - 1 - y));
      }
  }

  void compute_values(const mash::View& view, std::span<float> values) override {
    const mash::Size size = {view.width(), view.height()};
    pixels_.read(view.gray(), size);
    find_bright(size);
    std::fill(values.begin(), values.end(), 0.f);
    float *sums = values.data(), *changes = sums + num_lines(size), *profiles = changes + num_lines(size);
    scan_lines(size, sums, changes);
    scan_profiles(size, profiles);
  }

  double threshold_;
  mash::heuristics::Pixels pixels_;
  std::vector<std::uint8_t> is_bright_;  // row by row
};

}  // namespace

MASH_HEURISTIC(Projections, "projections", "1.0.0", "MASH",
               "sums, changes and profiles along rows, columns and diagonals", "Apache-2.0")
