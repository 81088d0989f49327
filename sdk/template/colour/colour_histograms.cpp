// SPDX-License-Identifier: Apache-2.0
// Colour histograms: the view is cut into cells, and each cell tells which part of its pixels has which
// colour, in a few steps of red, green and blue. On grey pictures only the greys among them occur.
#include <algorithm>
#include <mash/heuristic.hpp>

namespace {

class ColourHistograms final : public mash::Heuristic {
 public:
  // Settings of a user, with default, minimum and maximum: {id: @ID@, steps: 4}.
  static constexpr auto parameters =
      std::array{mash::integer("cells", "number of cells across and down", 3, 1, 16),
                 mash::integer("steps", "steps of each of red, green and blue", 3, 2, 8)};

  explicit ColourHistograms(const mash::Parameters& settings)
      : cells_(std::uint32_t(settings.integer("cells"))), steps_(std::uint32_t(settings.integer("steps"))) {}

  // Feature number: (row of the cell * cells + column of the cell) * colours + colour.
  std::uint32_t dim(mash::Size) const override { return cells_ * cells_ * num_colours(); }

  // Everything is computed here, once per picture; compute only hands out.
  void prepare(const mash::View& view) override {
    fractions_.clear();
    for (std::uint32_t row = 0; row < cells_; ++row)
      for (std::uint32_t column = 0; column < cells_; ++column)
        add_cell(view, column * view.width() / cells_, row * view.height() / cells_,
                 (column + 1) * view.width() / cells_, (row + 1) * view.height() / cells_);
  }

  void compute(const mash::View&, std::span<const std::uint32_t> features, std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) out[i] = fractions_[features[i]];
  }

 private:
  std::uint32_t num_colours() const { return steps_ * steps_ * steps_; }

  // Appends the part of the cell's pixels that has each colour. In a tiny view a cell may have no pixel.
  void add_cell(const mash::View& view, std::uint32_t left, std::uint32_t top, std::uint32_t right,
                std::uint32_t bottom) {
    std::vector<std::uint32_t> counts(num_colours());
    for (std::uint32_t y = top; y < bottom; ++y)
      for (std::uint32_t x = left; x < right; ++x) ++counts[colour_at(view, x, y)];
    const float area = float(std::max(1u, (right - left) * (bottom - top)));
    for (const std::uint32_t count : counts) fractions_.push_back(float(count) / area);
  }

  // (step of red * steps + step of green) * steps + step of blue
  std::size_t colour_at(const mash::View& view, std::uint32_t x, std::uint32_t y) const {
    const auto step = [this](std::uint32_t value) { return value * steps_ / 256; };
    return (step(view.red()(x, y)) * steps_ + step(view.green()(x, y))) * steps_ + step(view.blue()(x, y));
  }

  std::uint32_t cells_, steps_;
  std::vector<float> fractions_;
};

}  // namespace

// Class, id, version (raise it when the features change), author, summary, licence.
MASH_HEURISTIC(ColourHistograms, "@ID@", "1.0.0", "@AUTHOR@", "colour histograms of cells", "Apache-2.0")
