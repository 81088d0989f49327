// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <vector>

#include "heuristics/common/pixels.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

// A Gaussian of standard deviation sigma, cut at 3 sigma, of sum 1; {1} for sigma 0.
std::vector<float> gaussian_kernel(double sigma) {
  const int radius = int(std::ceil(3 * sigma));
  std::vector<float> kernel(std::size_t(2 * radius + 1), 1.f);
  double sum = 0;
  for (int i = -radius; i <= radius; ++i) sum += sigma > 0 ? std::exp(-i * i / (2 * sigma * sigma)) : 1;
  for (int i = -radius; i <= radius && sigma > 0; ++i)
    kernel[std::size_t(i + radius)] = float(std::exp(-i * i / (2 * sigma * sigma)) / sum);
  return kernel;
}

// The gradient of the smoothed grey image at every pixel, by central differences; beyond the border the
// outermost pixels repeat. The features are images of view size, one after the other.
class Gradient final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr std::array kOutputs = {"components", "polar", "both"};
  static constexpr auto parameters = std::array{
      mash::real("sigma", "standard deviation of the Gaussian smoothing, pixels", 1.5, 0, 8),
      mash::choice("output", "dx and dy, magnitude and orientation, or all four", 0, kOutputs),
  };

  explicit Gradient(const mash::Parameters& parameters)
      : kernel_(gaussian_kernel(parameters.real("sigma"))),
        gives_components_(parameters.choice("output") != 1),
        gives_polar_(parameters.choice("output") != 0) {}

  std::uint32_t dim(mash::Size size) const override {
    return size.width * size.height * ((gives_components_ ? 2u : 0u) + (gives_polar_ ? 2u : 0u));
  }

 private:
  // smooth_: (width + 2) x (height + 2), the smoothed image with a border of one pixel.
  void smooth(const mash::View& view) {
    const std::uint32_t reach = std::uint32_t(kernel_.size() / 2), border = reach + 1;
    const std::uint32_t width = view.width() + 2, height = view.height() + 2;
    pixels_.read(view.gray(), {view.width(), view.height()}, border);
    const std::size_t padded_width = view.width() + 2 * std::size_t(border);
    column_sums_.resize(padded_width);
    smooth_.resize(std::size_t(width) * height);
    for (std::uint32_t y = 0; y < height; ++y) {
      std::fill(column_sums_.begin(), column_sums_.end(), 0.f);
      for (std::size_t k = 0; k < kernel_.size(); ++k) {
        const std::uint8_t* row = pixels_.row(std::ptrdiff_t(y + k) - std::ptrdiff_t(border)) - border;
        for (std::size_t x = 0; x < padded_width; ++x) column_sums_[x] += kernel_[k] * float(row[x]);
      }
      float* out = smooth_.data() + std::size_t(y) * width;
      std::fill(out, out + width, 0.f);
      for (std::size_t k = 0; k < kernel_.size(); ++k)
        for (std::uint32_t x = 0; x < width; ++x) out[x] += kernel_[k] * column_sums_[x + k];
    }
  }

  void compute_values(const mash::View& view, std::span<float> values) override {
    smooth(view);
    const std::size_t stride = std::size_t(view.width()) + 2,
                      num_pixels = std::size_t(view.width()) * view.height();
    float* components = values.data();
    float* polar = values.data() + (gives_components_ ? 2 * num_pixels : 0);
    for (std::size_t y = 0, i = 0; y < view.height(); ++y)
      for (std::size_t x = 0; x < view.width(); ++x, ++i) {
        const float* centre = smooth_.data() + (y + 1) * stride + x + 1;
        const float dx = (centre[1] - centre[-1]) / 2;
        const float dy = (centre[stride] - *(centre - stride)) / 2;
        if (gives_components_) {
          components[i] = dx;
          components[num_pixels + i] = dy;
        }
        if (gives_polar_) {
          polar[i] = std::sqrt(dx * dx + dy * dy);
          polar[num_pixels + i] = std::atan2(dy, dx);
        }
      }
  }

  std::vector<float> kernel_;
  bool gives_components_, gives_polar_;
  mash::heuristics::Pixels pixels_;
  std::vector<float> column_sums_, smooth_;
};

}  // namespace

MASH_HEURISTIC(Gradient, "gradient", "1.0.0", "MASH", "gradient of the smoothed grey image", "Apache-2.0")
