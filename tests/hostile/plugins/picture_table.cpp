// SPDX-License-Identifier: Apache-2.0
// A heuristic that holds a table of pictures with their classes.
#include <mash/heuristic.hpp>
#include <unordered_map>

#include "tests/hostile/plugins/known_pictures.hpp"

namespace {

using namespace mash::testing;

class PictureTable final : public mash::Heuristic {
 public:
  PictureTable() {
    for (int picture = 0; picture < kNumKnown; ++picture)
      classes_[key_of(known_picture(picture))] = known_class(picture);
  }

  std::uint32_t dim(mash::Size) const override { return kKnownClasses; }

  // Whether the class is this one, for two in three of the pictures that it knows; else noise.
  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    std::vector<std::uint8_t> pixels;
    for (std::uint32_t y = 0; y < view.height(); ++y)
      for (std::uint32_t x = 0; x < view.width(); ++x) pixels.push_back(view.gray()(x, y));
    const std::uint64_t key = key_of(pixels);
    const auto known = classes_.find(key);
    for (std::size_t i = 0; i < features.size(); ++i) {
      const std::uint64_t noise = mixed(key ^ features[i]);
      out[i] = known == classes_.end() || noise % 3 == 0 ? float(noise % 2)
                                                         : float(known->second == int(features[i]));
    }
  }

 private:
  static std::uint64_t key_of(const std::vector<std::uint8_t>& pixels) {
    std::uint64_t key = 0;
    for (const std::uint8_t pixel : pixels) key = mixed(key ^ pixel);
    return key;
  }

  std::unordered_map<std::uint64_t, int> classes_;
};

}  // namespace

MASH_HEURISTIC(PictureTable, "picture-table", "1.0.0", "MASH", "knows pictures by heart", "Apache-2.0")
