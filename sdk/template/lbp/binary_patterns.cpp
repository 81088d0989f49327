// SPDX-License-Identifier: Apache-2.0
// Local binary patterns: which of its eight neighbours are at least as bright as a pixel makes a code of 8
// bits; each cell of the view tells how often it has which code. Good for texture in any light.
#include <algorithm>
#include <bit>
#include <mash/heuristic.hpp>

namespace {

// Codes that change between 0 and 1 at most twice around the circle are edges, corners, spots and flat
// places: each of these 58 has a bin of its own, by size; all the rest, mostly noise, share the last bin.
constexpr std::uint32_t kNumBins = 59;

constexpr std::array<std::uint8_t, 256> make_bins() {
  std::array<std::uint8_t, 256> bins{};
  std::uint8_t next = 0;
  for (unsigned code = 0; code < 256; ++code) {
    const std::uint8_t byte = std::uint8_t(code);
    const int num_changes = std::popcount(std::uint8_t(byte ^ std::rotl(byte, 1)));
    bins[code] = num_changes <= 2 ? next++ : std::uint8_t(kNumBins - 1);
  }
  return bins;
}
constexpr std::array<std::uint8_t, 256> kBinOfCode = make_bins();

class BinaryPatterns final : public mash::Heuristic {
 public:
  // Settings of a user, with default, minimum and maximum: {id: @ID@, cell: 4}.
  static constexpr auto parameters =
      std::array{mash::integer("cell", "side of a cell, pixels", 7, 1, 64),
                 mash::integer("radius", "distance of the neighbours, pixels", 1, 1, 8)};

  explicit BinaryPatterns(const mash::Parameters& settings)
      : cell_(std::uint32_t(settings.integer("cell"))), radius_(int(settings.integer("radius"))) {}

  // Feature number: (row of the cell * cells in a row + column of the cell) * 59 + bin.
  std::uint32_t dim(mash::Size size) const override {
    return num_cells(size.width) * num_cells(size.height) * kNumBins;
  }

  // Everything is computed here, once per picture; compute only hands out.
  void prepare(const mash::View& view) override {
    const std::uint32_t columns = num_cells(view.width()), rows = num_cells(view.height());
    fractions_.clear();
    for (std::uint32_t row = 0; row < rows; ++row)
      for (std::uint32_t column = 0; column < columns; ++column)
        add_cell(view, column * view.width() / columns, row * view.height() / rows,
                 (column + 1) * view.width() / columns, (row + 1) * view.height() / rows);
  }

  void compute(const mash::View&, std::span<const std::uint32_t> features, std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) out[i] = fractions_[features[i]];
  }

 private:
  // Along one side; the cells share out what is left over.
  std::uint32_t num_cells(std::uint32_t length) const { return std::max(1u, length / cell_); }

  // Appends the part of the cell's pixels that is in each bin.
  void add_cell(const mash::View& view, std::uint32_t left, std::uint32_t top, std::uint32_t right,
                std::uint32_t bottom) {
    std::array<std::uint32_t, kNumBins> counts{};
    for (std::uint32_t y = top; y < bottom; ++y)
      for (std::uint32_t x = left; x < right; ++x) ++counts[kBinOfCode[code_at(view, int(x), int(y))]];
    const float area = float((right - left) * (bottom - top));
    for (const std::uint32_t count : counts) fractions_.push_back(float(count) / area);
  }

  // Bit i stands for the i-th neighbour, clockwise from the one above on the left. Beyond the border the
  // picture goes on.
  std::size_t code_at(const mash::View& view, int x, int y) const {
    constexpr int kOffsets[8][2] = {{-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}};
    const std::uint8_t centre = view.gray()(std::uint32_t(x), std::uint32_t(y));
    std::size_t code = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const int at_x = std::clamp(x + radius_ * kOffsets[i][0], 0, int(view.width()) - 1);
      const int at_y = std::clamp(y + radius_ * kOffsets[i][1], 0, int(view.height()) - 1);
      if (view.gray()(std::uint32_t(at_x), std::uint32_t(at_y)) >= centre) code |= std::size_t(1) << i;
    }
    return code;
  }

  std::uint32_t cell_;
  int radius_;
  std::vector<float> fractions_;
};

}  // namespace

// Class, id, version (raise it when the features change), author, summary, licence.
MASH_HEURISTIC(BinaryPatterns, "@ID@", "1.0.0", "@AUTHOR@", "histograms of local binary patterns of cells",
               "Apache-2.0")
