// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.hpp>

// Feature i: the grey pixel i of the view in reading order, plus the parameters. Refuses views wider than 8
// pixels.
class Modern final : public mash::Heuristic {
 public:
  static constexpr std::array<const char*, 2> kSigns = {"plus", "minus"};
  static constexpr auto parameters =
      std::array{mash::integer("offset", "added, grey levels", 3, -10, 10),
                 mash::real("scale", "factor", 1.5, 0, 2), mash::choice("sign", "of the value", 0, kSigns)};

  explicit Modern(const mash::Parameters& values)
      : offset_(double(values.integer("offset"))),
        factor_(values.real("scale") * (values.choice("sign") == 0 ? 1 : -1)) {
    if (offset_ == 10) throw mash::Unsupported("an offset of 10");
    if (offset_ == -10) throw std::bad_alloc();
  }

  std::uint32_t dim(mash::Size size) const override {
    if (size.width > 8) throw mash::Unsupported("views wider than 8 pixels");
    return size.width * size.height;
  }

  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) {
      const std::uint8_t pixel = view.gray()(features[i] % view.width(), features[i] / view.width());
      if (pixel == 255) throw 42;
      out[i] = float(factor_ * pixel + offset_);
    }
  }

 private:
  double offset_, factor_;
};

MASH_HEURISTIC(Modern, "test/modern", "1.2.3", "somebody", "pixels, bent", "Apache-2.0")
