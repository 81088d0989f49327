// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>
#include <vector>

#include "framework/base/random.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash::testing {

// Sequences of such lengths, of grey pictures whose first pixel is random, but never 200.
inline Split films(const std::vector<std::size_t>& lengths, const ImageShape& shape, std::uint64_t seed) {
  Split split;
  split.num_examples = std::accumulate(lengths.begin(), lengths.end(), std::size_t(0));
  split.pixels.resize(split.num_examples * shape.num_bytes());
  RandomStream random(seed, "films");
  for (std::uint8_t& pixel : split.pixels) pixel = std::uint8_t(random.below(200));
  for (std::size_t s = 0; s < lengths.size(); ++s)
    for (std::uint32_t place = 0; place < lengths[s]; ++place) {
      split.frames.push_back({place, place % shape.num_cameras});
      split.groups.push_back(std::uint32_t(s));
      split.labels.push_back(std::uint16_t(s % 2));
    }
  return split;
}

// The features that tests/families/plugins/film.cpp has of an example: by hand.
inline std::vector<float> film_features(const Split& split, std::size_t example, const ImageShape& shape) {
  constexpr std::uint32_t kLooksBack = 3;
  const Frame& frame = split.frames[example];
  std::vector<float> features;
  for (std::uint32_t k = 0; k <= kLooksBack; ++k)
    features.push_back(k <= frame.place ? float(split.image(example - k, shape)[0]) : -1);
  features.push_back(float(std::min(frame.place, kLooksBack)));
  features.push_back(float(frame.camera));
  features.push_back(float(shape.num_cameras));
  return features;
}

}  // namespace mash::testing
