// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/held_codes.hpp"

#include <algorithm>

#include "classifiers/samplers/sampler.hpp"

namespace mash {

void HeldCodes::hold(std::span<const std::uint32_t> examples) {
  if (!keeps_all_) return;
  std::erase_if(codes_, [&](const auto& held) {
    return !std::binary_search(examples.begin(), examples.end(), held.first);
  });
  std::vector<std::uint32_t> missing;
  for (const std::uint32_t example : examples)
    if (!codes_.contains(example)) missing.push_back(example);
  const std::size_t num_features = features_.num_features();
  std::vector<std::uint8_t> columns(num_features * missing.size());
  if (missing.empty()) return;
  features_.gather(feature_range(0, std::uint32_t(num_features)), missing, columns.data(), missing.size());
  for (std::size_t r = 0; r < missing.size(); ++r) {
    std::vector<std::uint8_t>& row = codes_[missing[r]];
    row.resize(num_features);
    for (std::size_t f = 0; f < num_features; ++f) row[f] = columns[f * missing.size() + r];
  }
}

void HeldCodes::gather(std::span<const std::uint32_t> features, std::span<const std::uint32_t> examples,
                       std::uint8_t* out) const {
  if (!keeps_all_) return features_.gather(features, examples, out, examples.size());
  for (std::size_t r = 0; r < examples.size(); ++r) {
    const std::vector<std::uint8_t>& row = codes_.at(examples[r]);
    for (std::size_t i = 0; i < features.size(); ++i) out[i * examples.size() + r] = row[features[i]];
  }
}

FeatureSet HeldCodes::view(std::vector<std::uint32_t> examples) const {
  std::vector<std::uint8_t> codes;
  if (keeps_all_) {
    const auto all = feature_range(0, std::uint32_t(features_.num_features()));
    codes.resize(all.size() * examples.size());
    gather(all, examples, codes.data());
  }
  return features_.of_rows(std::move(examples), std::move(codes));
}

}  // namespace mash
