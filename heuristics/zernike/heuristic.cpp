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

double factorial(std::uint32_t n) { return std::tgamma(n + 1.0); }

// R_nm. REQUIRES: m <= n, n - m even.
class RadialPolynomial {
 public:
  RadialPolynomial(std::uint32_t n, std::uint32_t m) : n_(n) {
    for (std::uint32_t k = 0; k <= (n - m) / 2; ++k)
      terms_.push_back({(k % 2 ? -1 : 1) * factorial(n - k),
                        factorial(k) * factorial((n + m) / 2 - k) * factorial((n - m) / 2 - k)});
  }

  // powers[i] = rho^i
  double operator()(std::span<const double> powers) const {
    double sum = 0;
    for (std::size_t k = 0; k < terms_.size(); ++k)
      sum += terms_[k].numerator * powers[n_ - 2 * k] / terms_[k].denominator;
    return sum;
  }

 private:
  struct Term {
    double numerator, denominator;
  };
  std::uint32_t n_;
  std::vector<Term> terms_;
};

// Factors of the pixels of a disc of one size: per pixel of it, the real part of each moment's kernel and,
// where m > 0, the imaginary one.
struct Kernels {
  struct Offset {
    std::uint32_t x, y;
  };
  mash::Size size;  // of the box around the disc
  std::vector<Offset> pixels;
  std::vector<float> values;  // [pixel][part]
};

// Zernike moments (Teague 1980; Khotanzad & Hong 1990) of the grey image over discs: the largest in the
// middle of each cell of a pyramid whose cells overlap.
class Zernike final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr std::array kOutputs = {"magnitude", "parts", "both"};
  static constexpr auto parameters = std::array{
      mash::integer("order", "largest order of a moment", 8, 1, 20),
      mash::integer("levels", "levels of the pyramid: 1, 3x3, 7x7, ... discs", 2, 1, 3),
      mash::choice("output",
                   "magnitudes (no matter how the disc is turned), real and imaginary parts, or both", 2,
                   kOutputs),
  };

  explicit Zernike(const mash::Parameters& parameters)
      : order_(std::uint32_t(parameters.integer("order"))),
        pyramid_(std::uint32_t(parameters.integer("levels")), true),
        gives_magnitude_(parameters.choice("output") != 1),
        gives_parts_(parameters.choice("output") != 0) {
    for_moments([&](std::uint32_t n, std::uint32_t m) {
      polynomials_.emplace_back(n, m);
      ++num_moments_;
      num_parts_ += m > 0 ? 2 : 1;
    });
    parts_.resize(num_parts_);
  }

  std::uint32_t dim(mash::Size) const override { return pyramid_.num_cells() * disc_dim(); }

 private:
  std::uint32_t disc_dim() const {
    return (gives_magnitude_ ? num_moments_ : 0) + (gives_parts_ ? num_parts_ : 0);
  }

  // Calls body(n, m) for each moment, in the order of the features.
  template <class Body>
  void for_moments(const Body& body) const {
    for (std::uint32_t n = 0; n <= order_; ++n)
      for (std::uint32_t m = n % 2; m <= n; m += 2) body(n, m);
  }

  Kernels make_kernels(mash::Size size) const {
    Kernels kernels{size, {}, {}};
    const double radius = std::min(size.width, size.height) / 2.0;
    // Values that the moments share: rho^i, cos(i theta) and sin(i theta).
    std::vector<double> powers(order_ + 1), cosines(order_ + 1), sines(order_ + 1);
    for (std::uint32_t y = 0; y < size.height; ++y)
      for (std::uint32_t x = 0; x < size.width; ++x) {
        const double dx = (x + 0.5 - size.width / 2.0) / radius, dy = (y + 0.5 - size.height / 2.0) / radius;
        const double rho = std::hypot(dx, dy), theta = std::atan2(dy, dx);
        if (rho > 1) continue;
        kernels.pixels.push_back({x, y});
        for (std::uint32_t i = 0; i <= order_; ++i) {
          powers[i] = std::pow(rho, i);
          cosines[i] = std::cos(i * theta);
          sines[i] = std::sin(i * theta);
        }
        auto polynomial = polynomials_.begin();
        for_moments([&](std::uint32_t n, std::uint32_t m) {
          // An area of pi: a disc of ones has moment 1 at (0, 0).
          const double scale = (n + 1) / (std::numbers::pi * radius * radius) * (*polynomial++)(powers);
          kernels.values.push_back(float(scale * cosines[m]));
          if (m > 0) kernels.values.push_back(float(-scale * sines[m]));
        });
      }
    return kernels;
  }

  // Made when a cell of that size is first met; the cells of a pyramid have few different sizes.
  const Kernels& kernels(mash::Size size) {
    for (const Kernels& known : kernels_)
      if (known.size.width == size.width && known.size.height == size.height) return known;
    return kernels_.emplace_back(make_kernels(size));
  }

  void sum_disc(const Box& cell) {
    const Kernels& disc = kernels({cell.right - cell.left, cell.bottom - cell.top});
    std::fill(parts_.begin(), parts_.end(), 0.f);
    const float* kernel = disc.values.data();
    for (const Kernels::Offset offset : disc.pixels) {
      const float gray = pixels_.row(cell.top + offset.y)[cell.left + offset.x];
      if (gray > 0)
        for (std::uint32_t i = 0; i < num_parts_; ++i) parts_[i] += gray * kernel[i];
      kernel += num_parts_;
    }
  }

  void compute_values(const mash::View& view, std::span<float> values) override {
    if (size_.width != view.width() || size_.height != view.height()) kernels_.clear();
    size_ = {view.width(), view.height()};
    pixels_.read(view.gray(), size_);
    float* out = values.data();
    pyramid_.for_cells(size_, [&](const Box& cell) {
      sum_disc(cell);
      const float* part = parts_.data();
      if (gives_magnitude_)
        for_moments([&](std::uint32_t, std::uint32_t m) {
          *out++ = m > 0 ? std::sqrt(part[0] * part[0] + part[1] * part[1]) : std::abs(part[0]);
          part += m > 0 ? 2 : 1;
        });
      if (gives_parts_) out = std::copy(parts_.begin(), parts_.end(), out);
    });
  }

  std::uint32_t order_;
  mash::heuristics::CellPyramid pyramid_;
  bool gives_magnitude_, gives_parts_;
  std::vector<RadialPolynomial> polynomials_;  // of each moment
  std::uint32_t num_moments_ = 0, num_parts_ = 0;
  mash::Size size_{0, 0};
  std::vector<Kernels> kernels_;  // of the discs of views of that size
  mash::heuristics::Pixels pixels_;
  std::vector<float> parts_;  // of one disc
};

}  // namespace

MASH_HEURISTIC(Zernike, "zernike", "1.0.0", "MASH", "Zernike moments of discs", "Apache-2.0")
