// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/tasting.hpp"

#include <algorithm>
#include <cmath>

#include "classifiers/samplers/feature_draw.hpp"
#include "framework/base/elementary.hpp"

namespace mash {
namespace {

Result<SamplerFactory> make_tasting(TastingSampler::Draw draw, Settings& settings) {
  MASH_ASSIGN(const auto num_features, settings.integer("features", 10, 1, 1 << 24));
  MASH_ASSIGN(const auto stock_size, settings.integer("tasted", 100, 1, 1 << 16));
  return sampler_factory<TastingSampler>(draw, std::uint32_t(num_features), std::uint32_t(stock_size));
}

}  // namespace

// Both sum what is added to the smallest value instead of shares of the whole, so that families without a
// difference tie to the last bit, with stocks of any size.

double expected_best_edge(std::span<const double> sorted_edges, std::uint32_t num_draws) {
  const auto size = double(sorted_edges.size());
  double expectation = sorted_edges[0];
  for (std::size_t r = 1; r < sorted_edges.size(); ++r) {
    const double all_below = stable_exp(num_draws * stable_log(double(r) / size));
    expectation += (1 - all_below) * (sorted_edges[r] - sorted_edges[r - 1]);
  }
  return expectation;
}

double expected_raised_edge(std::span<const double> sorted_edges, double floor) {
  const double least = std::max(floor, sorted_edges[0]);
  double raise = 0;
  for (const double edge : sorted_edges) raise += std::max(0.0, edge - least);
  return least + raise / double(sorted_edges.size());
}

void Stock::fill(StumpScan& scan, std::uint64_t seed, std::uint32_t per_family) {
  const FeatureSet& features = scan.features();
  const FeatureDraw chosen(features, {seed, 0}, "sampler.tasting.stock");
  for (std::uint32_t k = 0; k < features.num_families(); ++k) {
    const auto drawn = chosen.from_family(k, per_family);
    features_.insert(features_.end(), drawn.begin(), drawn.end());
    begins_.push_back(features_.size());
  }
  scan.ledger().stock(features_.size());
}

std::vector<std::vector<double>> Stock::taste(StumpScan& scan, const ExampleDraw& draw) const {
  const FeatureSet& features = scan.features();
  std::vector<std::vector<double>> edges(features.num_families());
  for (const Candidate& tasted : scan.evaluate(features_, draw, Charge::kStock))
    edges[features.family_of(tasted.feature)].push_back(tasted.edge);
  for (auto& family_edges : edges) std::sort(family_edges.begin(), family_edges.end());
  return edges;
}

std::vector<double> Stock::taste_family(StumpScan& scan, std::uint32_t family) const {
  const auto tasted = std::span(features_).subspan(begins_[family], begins_[family + 1] - begins_[family]);
  std::vector<double> edges;
  for (const Candidate& candidate : scan.evaluate(tasted, {}, Charge::kStock))
    edges.push_back(candidate.edge);
  std::sort(edges.begin(), edges.end());
  return edges;
}

Status TastingSampler::start(StumpScan& scan, const TrainingPlan& plan) {
  stock_.fill(scan, plan.seed, stock_size_);
  return Done{};
}

std::uint32_t TastingSampler::propose(StumpScan& scan, const Round& round) {
  return draw_ == Draw::kOneFamily ? propose_one_family(scan, round) : propose_families(scan, round);
}

std::uint32_t TastingSampler::propose_one_family(StumpScan& scan, const Round& round) const {
  std::vector<double> scores;
  for (const auto& edges : stock_.taste(scan)) scores.push_back(expected_best_edge(edges, num_features_));
  const FeatureDraw chosen(scan.features(), round, "sampler.tasting");
  const std::uint32_t family = argmax(scores, chosen.family_ties());
  return best_of_offered(scan, round, chosen.from_family(family, num_features_));
}

std::uint32_t TastingSampler::propose_families(StumpScan& scan, const Round& round) const {
  const auto tasted = stock_.taste(scan);
  const FeatureDraw chosen(scan.features(), round, "sampler.tasting");
  std::vector<FeatureOrder> orders;
  for (std::uint32_t k = 0; k < tasted.size(); ++k) orders.push_back(chosen.order(k));
  std::vector<double> scores(tasted.size());
  std::vector<std::uint32_t> candidates;
  std::vector<Candidate> looked_at;
  double best_edge = 0;
  for (std::uint32_t q = 0; q < num_features_; ++q) {
    for (std::size_t k = 0; k < tasted.size(); ++k) scores[k] = expected_raised_edge(tasted[k], best_edge);
    const std::uint32_t family = argmax(scores, chosen.family_ties(q));
    if (orders[family].num_left() == 0) continue;  // a small family may be used up
    candidates.push_back(orders[family].next());
    looked_at.push_back(scan.evaluate({&candidates.back(), 1}).front());
    best_edge = best_of(looked_at, chosen.feature_ties()).edge;
  }
  scan.ledger().offer(candidates);
  return best_of(looked_at, chosen.feature_ties()).feature;
}

Result<SamplerFactory> make_tasting_1q(Settings& settings) {
  return make_tasting(TastingSampler::Draw::kOneFamily, settings);
}
Result<SamplerFactory> make_tasting_q1(Settings& settings) {
  return make_tasting(TastingSampler::Draw::kFamilies, settings);
}

}  // namespace mash
