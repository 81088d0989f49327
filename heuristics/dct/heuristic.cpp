// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "heuristics/common/cells.hpp"
#include "heuristics/common/pixels.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

using mash::heuristics::Box;

// The orthonormal cosine transform (DCT-II; Ahmed, Natarajan & Rao 1974) of the grey image and of the blocks
// that it is cut into, of each the low frequencies.
class Dct final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr auto parameters = std::array{
      mash::integer("size", "frequencies along each side of the view; halved with each level", 16, 1, 32),
      mash::integer("levels", "levels of the pyramid: 1, 2x2, 4x4, ... blocks", 3, 1, 4),
  };

  explicit Dct(const mash::Parameters& parameters)
      : size_(std::uint32_t(parameters.integer("size"))),
        num_levels_(std::uint32_t(parameters.integer("levels"))) {}

  std::uint32_t dim(mash::Size) const override {
    std::uint32_t sum = 0;
    for (std::uint32_t level = 0; level < num_levels_; ++level)
      sum += grid(level).num_cells() * num_frequencies(level) * num_frequencies(level);
    return sum;
  }

 private:
  static mash::heuristics::CellGrid grid(std::uint32_t level) { return {level, false}; }
  std::uint32_t num_frequencies(std::uint32_t level) const { return std::max(size_ >> level, 1u); }

  // The basis for `length` samples, [sample][frequency], size_ frequencies; those at which so few samples
  // have nothing are 0. Made when first asked for.
  const float* basis(std::uint32_t length) {
    if (bases_.size() <= length) bases_.resize(length + 1);
    std::vector<float>& basis = bases_[length];
    if (basis.empty()) {
      basis.resize(std::size_t(length) * size_);
      for (std::uint32_t i = 0; i < length; ++i)
        for (std::uint32_t k = 0; k < std::min(size_, length); ++k)
          basis[std::size_t(i) * size_ + k] =
              float(std::sqrt((k == 0 ? 1.0 : 2.0) / length) *
                    std::cos(std::numbers::pi * (2 * i + 1) * k / (2.0 * length)));
    }
    return basis.data();
  }

  // out[v * n + u] = the coefficient of frequency (u, v) of the block.
  void transform(const Box& block, std::uint32_t n, float* out) {
    const float* basis_x = basis(block.right - block.left);
    const float* basis_y = basis(block.bottom - block.top);
    std::fill(out, out + std::size_t(n) * n, 0.f);
    for (std::uint32_t y = block.top; y < block.bottom; ++y, basis_y += size_) {
      std::fill(row_.begin(), row_.end(), 0.f);
      const std::uint8_t* gray = pixels_.row(y);
      for (std::uint32_t x = block.left; x < block.right; ++x) {
        if (gray[x] == 0) continue;
        const float* cosines = basis_x + std::size_t(x - block.left) * size_;
        for (std::uint32_t u = 0; u < n; ++u) row_[u] += gray[x] * cosines[u];
      }
      for (std::uint32_t v = 0; v < n; ++v)
        for (std::uint32_t u = 0; u < n; ++u) out[std::size_t(v) * n + u] += basis_y[v] * row_[u];
    }
  }

  void compute_values(const mash::View& view, std::span<float> values) override {
    const mash::Size size = {view.width(), view.height()};
    pixels_.read(view.gray(), size);
    row_.resize(size_);
    float* out = values.data();
    for (std::uint32_t level = 0; level < num_levels_; ++level) {
      const std::uint32_t n = num_frequencies(level);
      grid(level).for_cells(size, [&](const Box& block) {
        transform(block, n, out);
        out += std::size_t(n) * n;
      });
    }
  }

  std::uint32_t size_, num_levels_;
  std::vector<std::vector<float>> bases_;  // by length
  mash::heuristics::Pixels pixels_;
  std::vector<float> row_;
};

}  // namespace

MASH_HEURISTIC(Dct, "dct", "1.0.0", "MASH", "2-D cosine transform of the grey image and of its blocks",
               "Apache-2.0")
