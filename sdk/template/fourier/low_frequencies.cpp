// SPDX-License-Identifier: Apache-2.0
// Magnitudes of low spatial frequencies: how strongly the picture repeats in which direction at which
// distance. They do not change when the picture is shifted around its border.
#include <cmath>
#include <complex>
#include <mash/heuristic.hpp>
#include <numbers>

namespace {

using Complex = std::complex<float>;

class LowFrequencies final : public mash::Heuristic {
 public:
  // Settings of a user, with default, minimum and maximum: {id: @ID@, highest: 4}.
  static constexpr auto parameters =
      std::array{mash::integer("highest", "highest frequency, waves per width or height", 6, 1, 32)};

  explicit LowFrequencies(const mash::Parameters& settings) : highest_(int(settings.integer("highest"))) {}

  // Frequencies (u, v) across and down: v = 0 with u = 0 ... highest, then v = 1 ... highest with
  // u = -highest ... highest. The others have the magnitudes of these, as pixels are real numbers.
  std::uint32_t dim(mash::Size) const override {
    return std::uint32_t(highest_ + 1 + highest_ * (2 * highest_ + 1));
  }

  // A sum over all pixels for each frequency would take long; first along each row, then down the columns of
  // what that gives, is the same.
  void prepare(const mash::View& view) override {
    const std::uint32_t width = view.width(), height = view.height();
    const std::vector<Complex> across = waves(width), down = waves(height);
    const std::size_t num_across = std::size_t(2 * highest_ + 1);  // u = -highest ... highest
    std::vector<Complex> rows(height * num_across);
    for (std::uint32_t y = 0; y < height; ++y)
      for (std::size_t i = 0; i < num_across; ++i)
        for (std::uint32_t x = 0; x < width; ++x)
          rows[y * num_across + i] += float(view.gray()(x, y)) * wave(across, int(i) - highest_, x);
    magnitudes_.clear();
    for (int v = 0; v <= highest_; ++v)
      for (std::size_t i = v == 0 ? std::size_t(highest_) : 0; i < num_across; ++i) {
        Complex sum = 0;
        for (std::uint32_t y = 0; y < height; ++y) sum += rows[y * num_across + i] * wave(down, v, y);
        magnitudes_.push_back(std::abs(sum) / float(width * height));
      }
  }

  void compute(const mash::View&, std::span<const std::uint32_t> features, std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) out[i] = magnitudes_[features[i]];
  }

 private:
  // One wave over `length` pixels.
  static std::vector<Complex> waves(std::uint32_t length) {
    std::vector<Complex> values;
    for (std::uint32_t i = 0; i < length; ++i)
      values.push_back(std::polar(1.f, -2 * std::numbers::pi_v<float> * float(i) / float(length)));
    return values;
  }

  // That of a frequency at a place: it goes through the one wave in steps.
  static Complex wave(const std::vector<Complex>& one, int frequency, std::uint32_t place) {
    const std::size_t step = std::size_t(std::abs(frequency)) * place % one.size();
    return frequency < 0 ? std::conj(one[step]) : one[step];
  }

  int highest_;
  std::vector<float> magnitudes_;
};

}  // namespace

// Class, id, version (raise it when the features change), author, summary, licence.
MASH_HEURISTIC(LowFrequencies, "@ID@", "1.0.0", "@AUTHOR@", "magnitudes of low spatial frequencies",
               "Apache-2.0")
