// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/contribution/planted_family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "framework/base/hash.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr std::uint32_t kNumCuts = 255;

class PlantedData final : public FamilyData {
 public:
  PlantedData(PlantedFamily family, std::size_t num_train, std::size_t num_test)
      : family_(std::move(family)), num_train_(num_train), num_test_(num_test) {}

  ColumnBlock columns(Side side, std::uint32_t first, std::uint32_t count) const override {
    const std::size_t size = side == Side::kTrain ? num_train_ : num_test_;
    const auto codes = std::make_shared<std::vector<std::uint8_t>>();
    for (std::uint32_t j = first; j < first + count; ++j)
      for (std::size_t n = 0; n < size; ++n) codes->push_back(family_.code(side, std::uint32_t(n), j));
    return {codes->data(), size, size, codes};
  }
  std::uint32_t num_cuts(std::uint32_t) const override { return kNumCuts; }
  float threshold(std::uint32_t, std::uint32_t cut) const override { return float(cut); }
  std::pair<std::uint32_t, double> mode(std::uint32_t) const override { return {0, 0}; }
  void gather(std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
              std::uint8_t* out, std::size_t stride) const override {
    for (std::size_t i = 0; i < feature_indices.size(); ++i)
      for (std::size_t r = 0; r < rows.size(); ++r)
        out[i * stride + r] = family_.code(Side::kTrain, rows[r], feature_indices[i]);
  }
  void values(Side side, std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
              float* out, std::size_t stride) const override {
    for (std::size_t i = 0; i < feature_indices.size(); ++i)
      for (std::size_t r = 0; r < rows.size(); ++r)
        out[i * stride + r] = family_.code(side, rows[r], feature_indices[i]);
  }
  std::uint32_t count_distinct(std::unordered_set<std::uint64_t>&) const override { return family_.dim; }

 private:
  PlantedFamily family_;
  std::size_t num_train_, num_test_;
};

std::uint64_t number_of(Side side, std::uint32_t example, std::uint32_t feature) {
  return std::uint64_t(feature) << 33 | std::uint64_t(example) << 1 | std::uint64_t(side == Side::kTest);
}

const std::vector<std::uint16_t>& labels_of(const Dataset& dataset, Side side) {
  return (side == Side::kTrain ? dataset.train : dataset.test).labels;
}

}  // namespace

PlantedFamily noise_family(std::uint32_t dim, std::uint64_t number) {
  return {fmt::format("noise-{}-{}", dim, number), dim,
          [number](Side side, std::uint32_t example, std::uint32_t feature) {
            return std::uint8_t(keyed_hash(number, number_of(side, example, feature)));
          }};
}

PlantedFamily permuted_family(const FeatureSet& features, std::size_t family_idx, std::uint64_t number) {
  const auto permutation = [&](std::string_view purpose, std::size_t count) {
    std::vector<std::uint32_t> places(count);
    std::iota(places.begin(), places.end(), 0u);
    RandomStream(number, purpose).shuffle(std::span(places));
    return places;
  };
  return {fmt::format("{}-permuted-{}", features.families()[family_idx].spec.name, number),
          features.family_size(family_idx),
          [&features, first = features.first_feature(family_idx),
           train = permutation("planted.train", features.num_train()),
           test = permutation("planted.test", features.num_test())](Side side, std::uint32_t example,
                                                                    std::uint32_t feature) {
            const auto& places = side == Side::kTrain ? train : test;
            return features.column(side, first + feature).codes[places[example]];
          }};
}

PlantedFamily copied_family(const FeatureSet& features, std::size_t family_idx) {
  return {features.families()[family_idx].spec.name + "-copy", features.family_size(family_idx),
          [&features, first = features.first_feature(family_idx)](Side side, std::uint32_t example,
                                                                  std::uint32_t feature) {
            return features.column(side, first + feature).codes[example];
          }};
}

PlantedFamily leaking_family(const Dataset& dataset) {
  return {"leak", 1, [&dataset](Side side, std::uint32_t example, std::uint32_t) {
            return std::uint8_t(labels_of(dataset, side)[example]);
          }};
}

PlantedFamily knowing_family(const Dataset& dataset, std::uint32_t dim, double strength,
                             std::uint64_t number) {
  const std::size_t num_train = dataset.train.num_examples, num_test = dataset.test.num_examples;
  // All at once: a normal number takes longer than a look at memory.
  auto codes = std::make_shared<std::vector<std::uint8_t>>(dim * (num_train + num_test));
  for (std::uint32_t j = 0; j < dim; ++j) {
    RandomStream random(number, "planted.knowing", j);
    for (std::size_t n = 0; n < num_train + num_test; ++n) {
      const std::uint16_t label =
          n < num_train ? dataset.train.labels[n] : dataset.test.labels[n - num_train];
      const bool is_higher = keyed_hash(number, j * dataset.num_classes() + label) % 2 == 0;
      const double value = random.normal() + (is_higher ? strength : -strength);
      (*codes)[j * (num_train + num_test) + n] = std::uint8_t(std::clamp(128 + 40 * value, 0.0, 255.0));
    }
  }
  return {fmt::format("knowing-{}-{}", strength, number), dim,
          [codes, num_train, num_all = num_train + num_test](Side side, std::uint32_t example,
                                                             std::uint32_t feature) {
            return (*codes)[feature * num_all + example + (side == Side::kTest ? num_train : 0)];
          }};
}

FeatureSet plant(const FeatureSet& features, PlantedFamily family) {
  FamilyInfo info;
  info.spec.name = info.spec.heuristic.id = family.name;
  info.spec.heuristic.version = "1.0.0";
  info.spec.heuristic.plugin_sha256 = "planted";
  info.dim = family.dim;
  auto data =
      std::make_shared<const PlantedData>(std::move(family), features.num_train(), features.num_test());
  return features.with(std::move(info), std::move(data));
}

}  // namespace mash
