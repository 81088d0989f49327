// SPDX-License-Identifier: Apache-2.0
// Haar-like features: how much brighter one box of pixels is than its neighbour, at all places and several
// sizes. Cheap, because the sum over any box is four look-ups in an integral image (Viola & Jones 2001).
#include <algorithm>
#include <mash/heuristic.hpp>

namespace {

// Two squares of one side: (x, y) is the first one's upper left corner, the second lies to its right or
// below.
struct Pair {
  std::uint32_t side, x, y;
  bool below;
};

class BoxPairs final : public mash::Heuristic {
 public:
  // Settings of a user, with default, minimum and maximum: {id: @ID@, box: 2}.
  static constexpr auto parameters =
      std::array{mash::integer("box", "side of the smallest box, pixels", 4, 1, 64)};

  explicit BoxPairs(const mash::Parameters& settings) : box_(std::uint32_t(settings.integer("box"))) {}

  std::uint32_t dim(mash::Size size) const override {
    std::uint32_t count = 0;
    for_pairs(size, [&](const Pair&) { ++count; });
    if (count == 0) throw mash::Unsupported("the view is smaller than two pixels");
    return count;
  }

  // Work that all features share: the list of pairs, which is the same for all views of a size, and the
  // integral image: sums_[y * (width + 1) + x] is the sum over the pixels left of x and above y.
  void prepare(const mash::View& view) override {
    if (view.width() != size_.width || view.height() != size_.height) {
      size_ = {view.width(), view.height()};
      pairs_.clear();
      for_pairs(size_, [&](const Pair& pair) { pairs_.push_back(pair); });
    }
    sums_.assign(std::size_t(size_.width + 1) * (size_.height + 1), 0);
    for (std::uint32_t y = 0; y < size_.height; ++y) {
      std::uint32_t row = 0;
      for (std::uint32_t x = 0; x < size_.width; ++x) {
        row += view.gray()(x, y);
        sums_[index(x + 1, y + 1)] = sums_[index(x + 1, y)] + row;
      }
    }
  }

  void compute(const mash::View&, std::span<const std::uint32_t> features, std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) {
      const Pair& pair = pairs_[features[i]];
      const std::uint32_t x = pair.below ? pair.x : pair.x + pair.side;
      const std::uint32_t y = pair.below ? pair.y + pair.side : pair.y;
      out[i] = (sum(x, y, pair.side) - sum(pair.x, pair.y, pair.side)) / float(pair.side * pair.side);
    }
  }

 private:
  // Calls body(pair) for each feature in order: sides box, 2 box, 4 box ... as long as two fit, moved by half
  // a side; first all pairs side by side, then all one below the other.
  template <class Body>
  void for_pairs(mash::Size size, const Body& body) const {
    const std::uint32_t shorter = std::min(size.width, size.height);
    // In a small view the smallest box is made to fit.
    for (std::uint32_t side = std::clamp(shorter / 2, 1u, box_); 2 * side <= std::max(shorter, 2u); side *= 2)
      for (const bool below : {false, true}) {
        const std::uint32_t wide = below ? side : 2 * side, high = below ? 2 * side : side;
        const std::uint32_t step = std::max(1u, side / 2);
        for (std::uint32_t y = 0; y + high <= size.height; y += step)
          for (std::uint32_t x = 0; x + wide <= size.width; x += step) body(Pair{side, x, y, below});
      }
  }

  std::size_t index(std::uint32_t x, std::uint32_t y) const { return std::size_t(y) * (size_.width + 1) + x; }

  // The sum of a square's pixels. Unsigned numbers wrap around, so the result is right as long as it is below
  // 2^32.
  float sum(std::uint32_t x, std::uint32_t y, std::uint32_t side) const {
    return float(sums_[index(x + side, y + side)] - sums_[index(x, y + side)] - sums_[index(x + side, y)] +
                 sums_[index(x, y)]);
  }

  std::uint32_t box_;
  mash::Size size_{};
  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> sums_;
};

}  // namespace

// Class, id, version (raise it when the features change), author, summary, licence.
MASH_HEURISTIC(BoxPairs, "@ID@", "1.0.0", "@AUTHOR@", "differences between neighbouring boxes", "Apache-2.0")
