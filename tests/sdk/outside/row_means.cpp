// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.hpp>

namespace {

// The mean grey value of each row, with a setting: 30 lines, outside the tree, against the installed SDK
// alone.
class RowMeans final : public mash::Heuristic {
 public:
  static constexpr auto parameters = std::array{mash::real("scale", "factor", 1, 0, 100)};
  explicit RowMeans(const mash::Parameters& values) : scale_(values.real("scale")) {}

  std::uint32_t dim(mash::Size size) const override { return size.height; }

  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) {
      std::uint32_t sum = 0;
      for (std::uint32_t x = 0; x < view.width(); ++x) sum += view.gray()(x, features[i]);
      out[i] = float(scale_ * sum / view.width());
    }
  }

 private:
  double scale_;
};

}  // namespace

MASH_HEURISTIC(RowMeans, "me/row-means", "1.0.0", "Me", "mean grey value of each row", "MIT")
