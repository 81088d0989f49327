// SPDX-License-Identifier: Apache-2.0
// Histograms of oriented gradients: the view is cut into cells, and each cell tells how much its edges run in
// which direction. Good for shapes of any brightness.
#include <algorithm>
#include <cmath>
#include <mash/heuristic.hpp>
#include <numbers>

namespace {

class OrientedGradients final : public mash::Heuristic {
 public:
  // Settings of a user, with default, minimum and maximum: {id: @ID@, cell: 4}.
  static constexpr auto parameters =
      std::array{mash::integer("cell", "side of a cell, pixels", 7, 1, 64),
                 mash::integer("bins", "number of orientations in 180 degrees", 8, 2, 32)};

  explicit OrientedGradients(const mash::Parameters& settings)
      : cell_(std::uint32_t(settings.integer("cell"))), bins_(std::uint32_t(settings.integer("bins"))) {}

  // Feature number: (row of the cell * cells in a row + column of the cell) * bins + bin.
  std::uint32_t dim(mash::Size size) const override {
    return num_cells(size.width) * num_cells(size.height) * bins_;
  }

  // Everything is computed here, once per picture; compute only hands out.
  void prepare(const mash::View& view) override {
    const std::uint32_t width = view.width(), height = view.height();
    const std::uint32_t columns = num_cells(width), rows = num_cells(height);
    histograms_.assign(std::size_t(columns) * rows * bins_, 0.f);
    for (std::uint32_t y = 0; y < height; ++y)
      for (std::uint32_t x = 0; x < width; ++x) {
        const std::uint32_t cell = y * rows / height * columns + x * columns / width;
        vote(view, x, y, &histograms_[std::size_t(cell) * bins_]);
      }
    for (std::size_t begin = 0; begin < histograms_.size(); begin += bins_)
      normalise(std::span(histograms_).subspan(begin, bins_));
  }

  void compute(const mash::View&, std::span<const std::uint32_t> features, std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) out[i] = histograms_[features[i]];
  }

 private:
  // Along one side; the cells share out what is left over.
  std::uint32_t num_cells(std::uint32_t length) const { return std::max(1u, length / cell_); }

  // Adds the gradient at a pixel to the two nearest orientations. Beyond the border the picture goes on.
  void vote(const mash::View& view, std::uint32_t x, std::uint32_t y, float* histogram) const {
    const mash::Plane& gray = view.gray();
    const float dx = float(gray(std::min(x + 1, view.width() - 1), y) - gray(x == 0 ? 0 : x - 1, y));
    const float dy = float(gray(x, std::min(y + 1, view.height() - 1)) - gray(x, y == 0 ? 0 : y - 1));
    if (dx == 0 && dy == 0) return;
    const float turn =
        std::atan2(dy, dx) / std::numbers::pi_v<float>;  // -1 to 1; opposite directions are one
    const float place = (turn < 0 ? turn + 1 : turn) * float(bins_);
    const float length = std::hypot(dx, dy), part = place - std::floor(place);
    const std::uint32_t bin = std::uint32_t(place);
    histogram[bin % bins_] += length * (1 - part);
    histogram[(bin + 1) % bins_] += length * part;
  }

  // To length 1, so that contrast does not matter; what is almost flat stays small.
  static void normalise(std::span<float> histogram) {
    float squares = 100;
    for (const float value : histogram) squares += value * value;
    for (float& value : histogram) value /= std::sqrt(squares);
  }

  std::uint32_t cell_, bins_;
  std::vector<float> histograms_;
};

}  // namespace

// Class, id, version (raise it when the features change), author, summary, licence.
MASH_HEURISTIC(OrientedGradients, "@ID@", "1.0.0", "@AUTHOR@", "histograms of oriented gradients of cells",
               "Apache-2.0")
