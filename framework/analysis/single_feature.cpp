// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/single_feature.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace mash {
namespace {

constexpr std::size_t kNumCodes = 256;

// The most frequent class of each code, among the training examples that are not held out.
std::array<std::uint16_t, kNumCodes> classes_of_codes(std::span<const std::uint8_t> codes,
                                                      std::span<const std::uint16_t> labels,
                                                      std::span<const std::uint32_t> held_out,
                                                      std::size_t num_classes) {
  std::vector<std::uint32_t> counts(kNumCodes * num_classes);
  for (std::size_t n = 0; n < codes.size(); ++n) ++counts[codes[n] * num_classes + labels[n]];
  for (const std::uint32_t n : held_out) --counts[codes[n] * num_classes + labels[n]];
  std::array<std::uint16_t, kNumCodes> classes{};
  for (std::size_t code = 0; code < kNumCodes; ++code) {
    const auto begin = counts.begin() + std::ptrdiff_t(code * num_classes);
    classes[code] = std::uint16_t(std::max_element(begin, begin + std::ptrdiff_t(num_classes)) - begin);
  }
  return classes;
}

}  // namespace

SingleFeature best_single_feature(const FeatureSet& features, const Dataset& dataset,
                                  std::span<const std::uint32_t> held_out, const Workers& workers) {
  if (features.any_lazy()) return {};
  std::vector<std::size_t> num_wrong(features.num_features());
  workers.for_blocks(num_wrong.size(), 1, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      const auto feature = std::uint32_t(j);
      const FeatureColumn train = features.column(Side::kTrain, feature);
      const auto classes =
          classes_of_codes(train.codes, dataset.train.labels, held_out, dataset.num_classes());
      for (const std::uint32_t n : held_out)
        num_wrong[j] += classes[train.codes[n]] != dataset.train.labels[n];
      if (!held_out.empty()) continue;
      const FeatureColumn test = features.column(Side::kTest, feature);
      for (std::size_t n = 0; n < test.codes.size(); ++n)
        num_wrong[j] += classes[test.codes[n]] != dataset.test.labels[n];
    }
  });
  const auto best = std::min_element(num_wrong.begin(), num_wrong.end());
  const std::size_t num_judges = held_out.empty() ? dataset.test.num_examples : held_out.size();
  return {std::uint32_t(best - num_wrong.begin()), double(*best) / double(num_judges)};
}

}  // namespace mash
