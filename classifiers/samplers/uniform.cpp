// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/uniform.hpp"

#include <algorithm>
#include <set>

namespace mash {
namespace {

// One feature from each of num_features families; every family once before any is drawn again. Fewer where
// there are no more.
std::vector<std::uint32_t> one_of_each(const FeatureSet& features, std::size_t num_features,
                                       RandomStream& stream) {
  const auto num_families = std::uint32_t(features.num_families());
  std::vector<std::uint32_t> families = feature_range(0, num_families);
  stream.shuffle(std::span(families));
  num_features = std::min(num_features, features.num_features());
  std::set<std::uint32_t> chosen;
  std::vector<std::uint32_t> taken(num_families);  // of each family
  for (std::uint32_t i = 0; chosen.size() < num_features; ++i) {
    const auto family = i < num_families ? families[i] : std::uint32_t(stream.below(num_families));
    const std::uint32_t first = features.first_feature(family), size = features.family_size(family);
    if (taken[family] == size) continue;
    while (!chosen.insert(first + std::uint32_t(stream.below(size))).second) {
    }
    ++taken[family];
  }
  return {chosen.begin(), chosen.end()};
}

Result<SamplerFactory> make(UniformSampler::Draw draw, Settings& settings,
                            std::int64_t default_features = 10) {
  MASH_ASSIGN(const auto num_features, settings.integer("features", default_features, 1, 1 << 24));
  return sampler_factory<UniformSampler>(draw, std::uint32_t(num_features));
}

}  // namespace

std::vector<std::uint32_t> UniformSampler::draw(const FeatureSet& features, const Round& round) const {
  RandomStream stream = round.stream("sampler.uniform");
  switch (draw_) {
    case Draw::kNaive: return draw_distinct(0, std::uint32_t(features.num_features()), num_features_, stream);
    case Draw::kOneFamily: {
      const auto family = std::uint32_t(stream.below(features.num_families()));
      return draw_from_family(features, family, num_features_, stream);
    }
    case Draw::kFamilies: return one_of_each(features, num_features_, stream);
  }
  return {};
}

std::uint32_t UniformSampler::propose(StumpScan& scan, const Round& round) {
  return best_of_offered(scan, draw(scan.features(), round));
}

Status OneFamilySampler::start(StumpScan& scan, const TrainingPlan&) {
  const auto& families = scan.features().families();
  std::vector<std::string_view> known;
  for (const FamilyInfo& family : families) known.push_back(family.spec.name);
  const auto found = std::find(known.begin(), known.end(), family_);
  if (found == known.end()) return unknown_name("family", family_, known).at(where_);
  family_idx_ = std::uint32_t(found - known.begin());
  return Done{};
}

std::uint32_t OneFamilySampler::propose(StumpScan& scan, const Round& round) {
  RandomStream stream = round.stream("sampler.best-family");
  return best_of_offered(scan, draw_from_family(scan.features(), family_idx_, num_features_, stream));
}

Result<SamplerFactory> make_best_family(Settings& settings) {
  MASH_ASSIGN(std::string family, settings.text("family", ""));
  MASH_ASSIGN(const auto num_features, settings.integer("features", 10, 1, 1 << 24));
  return sampler_factory<OneFamilySampler>(std::move(family), std::uint32_t(num_features),
                                           settings.where("family"));
}
Result<SamplerFactory> make_lazyboost(Settings& settings) {
  return make(UniformSampler::Draw::kNaive, settings, 1);
}
Result<SamplerFactory> make_uniform_naive(Settings& settings) {
  return make(UniformSampler::Draw::kNaive, settings);
}
Result<SamplerFactory> make_uniform_1q(Settings& settings) {
  return make(UniformSampler::Draw::kOneFamily, settings);
}
Result<SamplerFactory> make_uniform_q1(Settings& settings) {
  return make(UniformSampler::Draw::kFamilies, settings);
}

}  // namespace mash
