// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/drawn_features.hpp"

#include <algorithm>
#include <numeric>

#include "framework/base/hash.hpp"

namespace mash {

std::vector<std::uint32_t> drawn_features(const FeatureSet& features, std::size_t most, std::uint64_t seed,
                                          std::string_view purpose) {
  std::vector<std::uint32_t> drawn(features.num_features());
  std::iota(drawn.begin(), drawn.end(), 0u);
  if (drawn.size() <= most) return drawn;
  const std::uint64_t key = keyed_hash(seed, purpose);
  std::vector<std::uint64_t> hashes;
  for (const std::uint32_t feature : drawn)
    hashes.push_back(keyed_hash(key ^ features.family_key(features.family_of(feature)),
                                features.index_in_family(feature)));
  std::nth_element(drawn.begin(), drawn.begin() + std::ptrdiff_t(most), drawn.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return hashes[a] < hashes[b]; });
  drawn.resize(most);
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

}  // namespace mash
