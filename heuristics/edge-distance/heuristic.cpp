// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "heuristics/common/pixels.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

// How far each pixel of a grid is from the nearest edge of each orientation: the distance transform that
// chamfer matching (Barrow et al. 1977) looks up, exact instead of by chamfer steps. Edges are ridges of the
// gradient (Canny 1986).
class EdgeDistance final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr auto parameters = std::array{
      mash::integer("orientations", "of edges, over 180 degrees", 4, 1, 16),
      mash::integer("step", "between pixels that have features", 2, 1, 8),
      mash::real("threshold", "of edges, in the view's largest gradient", 0.2, 0, 1),
  };

  explicit EdgeDistance(const mash::Parameters& parameters)
      : num_orientations_(std::uint32_t(parameters.integer("orientations"))),
        step_(std::uint32_t(parameters.integer("step"))),
        threshold_(float(parameters.real("threshold"))) {}

  std::uint32_t dim(mash::Size size) const override {
    return num_steps(size.width) * num_steps(size.height) * num_orientations_;
  }

 private:
  static constexpr float kNone = std::numeric_limits<float>::infinity();  // where a column has no edge
  static constexpr float kSmallestGradient = 64;  // Sobel's: eight grey levels a pixel

  struct GradientAt {
    float dx, dy, square;
  };
  struct Edge {
    std::uint32_t x, y;
  };

  std::uint32_t num_steps(std::uint32_t length) const { return (length + step_ - 1) / step_; }

  void set_size(mash::Size size) {
    size_ = size;
    gradients_.assign((std::size_t(size.width) + 2) * (size.height + 2), GradientAt{0, 0, 0});
    columns_.resize(std::size_t(size.width) * size.height);
    nearest_.resize(num_steps(size.width));
    squares_.resize(std::size_t(size.width) * nearest_.size());
    float* square = squares_.data();
    for (std::uint32_t x = 0; x < size.width; ++x)
      for (std::uint32_t i = 0; i < nearest_.size(); ++i) {
        const float distance = float(x) - float(i * step_);
        *square++ = distance * distance;
      }
  }

  GradientAt* gradient_row(std::uint32_t y) {
    return gradients_.data() + std::size_t(y + 1) * (size_.width + 2) + 1;
  }

  // Sobel's gradients, the outermost pixels repeated. Returns the largest square.
  float read_gradients(const mash::View& view) {
    pixels_.read(view.gray(), size_, 1);
    const std::ptrdiff_t down = pixels_.stride();
    float largest = 0;
    for (std::uint32_t y = 0; y < size_.height; ++y) {
      const std::uint8_t* p = pixels_.row(y);
      GradientAt* out = gradient_row(y);
      for (std::uint32_t x = 0; x < size_.width; ++x, ++p) {
        const int dx = p[1 - down] + 2 * p[1] + p[1 + down] - p[-1 - down] - 2 * p[-1] - p[-1 + down];
        const int dy = p[down - 1] + 2 * p[down] + p[down + 1] - p[-down - 1] - 2 * p[-down] - p[-down + 1];
        out[x] = {float(dx), float(dy), float(dx * dx + dy * dy)};
        largest = std::max(largest, out[x].square);
      }
    }
    return largest;
  }

  // Whether the gradient is no smaller than its two neighbours along its direction, to the nearest 45
  // degrees; of two alike the first counts.
  bool is_ridge(const GradientAt* at) const {
    constexpr float kTangent = 0.41421356f;  // of 22.5 degrees
    const std::ptrdiff_t down = std::ptrdiff_t(size_.width) + 2;
    const float dx = std::abs(at->dx), dy = std::abs(at->dy);
    std::ptrdiff_t along = down + 1;
    if (dy <= kTangent * dx)
      along = 1;
    else if (dx <= kTangent * dy)
      along = down;
    else if ((at->dx > 0) != (at->dy > 0))
      along = down - 1;
    return at->square > at[-along].square && at->square >= at[along].square;
  }

  // edges_: the edge pixels of each orientation, orientation o centred at o * 180 / num_orientations.
  void find_edges(const mash::View& view) {
    const float largest = read_gradients(view);
    const float limit = std::max(threshold_ * threshold_ * largest, kSmallestGradient * kSmallestGradient);
    edges_.resize(num_orientations_);
    for (auto& edges : edges_) edges.clear();
    for (std::uint32_t y = 0; y < size_.height; ++y) {
      const GradientAt* row = gradient_row(y);
      for (std::uint32_t x = 0; x < size_.width; ++x)
        if (row[x].square >= limit && is_ridge(row + x)) {
          const float turn = std::atan2(row[x].dy, row[x].dx) / std::numbers::pi_v<float> + 1;  // 0 .. 2
          edges_[std::uint32_t(turn * float(num_orientations_) + 0.5f) % num_orientations_].push_back({x, y});
        }
    }
  }

  // columns_[y * width + x] = the squared distance from (x, y) to the nearest of the edges in column x,
  // infinity where it has none; of the rows that have features. edges: in reading order.
  void scan_columns(const std::vector<Edge>& edges) {
    const std::uint32_t width = size_.width, height = size_.height;
    nearest_edge_.assign(width, -kNone);  // above
    auto above = edges.begin();
    for (std::uint32_t y = 0; y < height; ++y) {
      for (; above != edges.end() && above->y == y; ++above) nearest_edge_[above->x] = float(y);
      if (y % step_ != 0) continue;
      float* column = columns_.data() + std::size_t(y) * width;
      for (std::uint32_t x = 0; x < width; ++x) {
        const float distance = float(y) - nearest_edge_[x];
        column[x] = distance * distance;
      }
    }
    nearest_edge_.assign(width, kNone);  // below
    auto below = edges.rbegin();
    for (std::uint32_t y = height; y-- > 0;) {
      for (; below != edges.rend() && below->y == y; ++below) nearest_edge_[below->x] = float(y);
      if (y % step_ != 0) continue;
      float* column = columns_.data() + std::size_t(y) * width;
      for (std::uint32_t x = 0; x < width; ++x) {
        const float distance = nearest_edge_[x] - float(y);
        column[x] = std::min(column[x], distance * distance);
      }
    }
  }

  // nearest_[i] = the squared distance from pixel (i * step, y) to the nearest edge, at most `farthest`.
  void scan_row(std::uint32_t y, float farthest) {
    std::fill(nearest_.begin(), nearest_.end(), farthest);
    const float* column = columns_.data() + std::size_t(y) * size_.width;
    for (std::uint32_t x = 0; x < size_.width; ++x) {
      if (column[x] >= farthest) continue;
      const float* square = squares_.data() + std::size_t(x) * nearest_.size();
      for (std::size_t i = 0; i < nearest_.size(); ++i) {
        const float distance = square[i] + column[x];
        nearest_[i] = distance < nearest_[i] ? distance : nearest_[i];
      }
    }
  }

  void compute_values(const mash::View& view, std::span<float> values) override {
    if (size_.width != view.width() || size_.height != view.height()) set_size({view.width(), view.height()});
    find_edges(view);
    const float width = float(size_.width), height = float(size_.height);
    float* out = values.data();
    for (const std::vector<Edge>& edges : edges_) {
      scan_columns(edges);
      for (std::uint32_t y = 0; y < size_.height; y += step_) {
        scan_row(y, width * width + height * height);
        for (const float square : nearest_) *out++ = std::sqrt(square);
      }
    }
  }

  std::uint32_t num_orientations_, step_;
  float threshold_;
  mash::Size size_{0, 0};
  mash::heuristics::Pixels pixels_;
  std::vector<GradientAt> gradients_;     // with a border of one pixel that stays 0
  std::vector<std::vector<Edge>> edges_;  // by orientation
  std::vector<float> columns_, nearest_, nearest_edge_;
  std::vector<float> squares_;  // [x][i] = the squared distance from column x to that of feature i
};

}  // namespace

MASH_HEURISTIC(EdgeDistance, "edge-distance", "1.0.0", "MASH",
               "distance to the nearest edge of each orientation", "Apache-2.0")
