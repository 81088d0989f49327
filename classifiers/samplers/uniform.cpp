// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/uniform.hpp"

#include <algorithm>

#include "classifiers/samplers/feature_draw.hpp"

namespace mash {
namespace {

Result<SamplerFactory> make_uniform(UniformSampler::Draw draw, Settings& settings,
                                    std::int64_t default_features = 10) {
  MASH_ASSIGN(const auto num_features, settings.integer("features", default_features, 1, 1 << 24));
  return sampler_factory<UniformSampler>(draw, std::uint32_t(num_features));
}

}  // namespace

std::vector<std::uint32_t> UniformSampler::draw(const FeatureSet& features, const Round& round) const {
  const FeatureDraw chosen(features, round, "sampler.uniform");
  switch (draw_) {
    case Draw::kNaive: return chosen.from_all(num_features_);
    case Draw::kOneFamily: return chosen.from_family(chosen.families().front(), num_features_);
    case Draw::kFamilies: return chosen.one_of_each(num_features_);
  }
  return {};
}

std::uint32_t UniformSampler::propose(StumpScan& scan, const Round& round) {
  return best_of_offered(scan, round, draw(scan.features(), round));
}

Result<std::uint32_t> OneFamilySampler::find_among(std::span<const std::string_view> names) const {
  const auto found = std::find(names.begin(), names.end(), family_);
  if (found == names.end()) return unknown_name("family", family_, names).at(where_);
  return std::uint32_t(found - names.begin());
}

Status OneFamilySampler::check_families(std::span<const FamilySpec> families) const {
  if (family_.empty()) return Done{};
  std::vector<std::string_view> names;
  for (const FamilySpec& family : families) names.push_back(family.name);
  const auto found = find_among(names);
  return found.ok() ? Status(Done{}) : Status(found.error());
}

Status OneFamilySampler::start(StumpScan& scan, const TrainingPlan&) {
  std::vector<std::string_view> names;
  for (const FamilyInfo& family : scan.features().families()) names.push_back(family.spec.name);
  MASH_ASSIGN(family_idx_, find_among(names));
  return Done{};
}

std::uint32_t OneFamilySampler::propose(StumpScan& scan, const Round& round) {
  const FeatureDraw chosen(scan.features(), round, "sampler.best-family");
  return best_of_offered(scan, round, chosen.from_family(family_idx_, num_features_));
}

Result<SamplerFactory> make_best_family(Settings& settings) {
  MASH_ASSIGN(std::string family, settings.text("family", ""));
  MASH_ASSIGN(const auto num_features, settings.integer("features", 10, 1, 1 << 24));
  return sampler_factory<OneFamilySampler>(std::move(family), std::uint32_t(num_features),
                                           settings.where("family"));
}
Result<SamplerFactory> make_lazyboost(Settings& settings) {
  return make_uniform(UniformSampler::Draw::kNaive, settings, 1);
}
Result<SamplerFactory> make_uniform_naive(Settings& settings) {
  return make_uniform(UniformSampler::Draw::kNaive, settings);
}
Result<SamplerFactory> make_uniform_1q(Settings& settings) {
  return make_uniform(UniformSampler::Draw::kOneFamily, settings);
}
Result<SamplerFactory> make_uniform_q1(Settings& settings) {
  return make_uniform(UniformSampler::Draw::kFamilies, settings);
}

}  // namespace mash
