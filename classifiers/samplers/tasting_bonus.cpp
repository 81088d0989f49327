// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/tasting_bonus.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "classifiers/samplers/feature_draw.hpp"
#include "framework/base/state_numbers.hpp"

namespace mash {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The variance of a population, not of a sample.
double variance(std::span<const double> values) {
  double mean = 0, sum = 0;
  for (const double value : values) mean += value / double(values.size());
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / double(values.size());
}

double l1_distance(std::span<const double> a, std::span<const double> b, const Workers& workers) {
  return workers.sum_blocks(a.size(), 1 << 15, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += std::abs(a[i] - b[i]);
    return sum;
  });
}

}  // namespace

Status TastingBonusSampler::start(StumpScan& scan, const TrainingPlan& plan) {
  stock_.fill(scan, plan.seed, options_.stock_size);
  families_.resize(scan.features().num_families());
  return Done{};
}

double TastingBonusSampler::index(const Tasted& tasted) const {
  if (tasted.edges.empty()) return kInfinity;
  return expected_best_edge(tasted.edges, options_.num_features) +
         options_.beta * std::sqrt(variance(tasted.edges) / double(tasted.edges.size())) +
         options_.rho * std::min(1.0, tasted.distance);
}

void TastingBonusSampler::follow(const StumpScan& scan) {
  std::vector<double> buffer;
  const std::span<const double> weights = scan.weights().signed_weights(buffer);
  // Between a node of a tree and other examples nothing is known.
  const std::size_t of_all = scan.features().num_train() * scan.weights().num_classes();
  const bool comparable = weights.size() == of_all && last_weights_.size() == of_all;
  const double step = comparable ? l1_distance(weights, last_weights_, scan.workers()) : 1;
  for (Tasted& family : families_) family.distance += step;
  last_weights_.assign(weights.begin(), weights.end());
}

std::uint32_t TastingBonusSampler::choose_family(StumpScan& scan, const Priority& ties) {
  std::vector<double> stale, fresh(families_.size(), -kInfinity);
  for (const Tasted& family : families_) stale.push_back(index(family));
  for (;;) {
    const auto next = std::size_t(std::max_element(stale.begin(), stale.end()) - stale.begin());
    if (stale[next] == -kInfinity || stale[next] < *std::max_element(fresh.begin(), fresh.end()))
      return argmax(fresh, ties);
    families_[next] = {stock_.taste_family(scan, std::uint32_t(next)), 0};
    fresh[next] = index(families_[next]);
    stale[next] = -kInfinity;
  }
}

std::uint32_t TastingBonusSampler::propose(StumpScan& scan, const Round& round) {
  follow(scan);
  const FeatureDraw chosen(scan.features(), round, "sampler.tasting");
  const std::uint32_t family = choose_family(scan, chosen.family_ties());
  return best_of_offered(scan, round, chosen.from_family(family, options_.num_features));
}

std::vector<double> TastingBonusSampler::state() const {
  StateWriter writer;
  for (const Tasted& family : families_) {
    writer.add(family.distance);
    writer.add_counted(family.edges);
  }
  writer.add_all(last_weights_);
  return writer.take();
}

void TastingBonusSampler::restore(std::span<const double> state) {
  StateReader reader(state);
  for (Tasted& family : families_) {
    family.distance = reader.next();
    const std::span<const double> edges = reader.next_counted();
    family.edges.assign(edges.begin(), edges.end());
  }
  const std::span<const double> weights = reader.rest();
  last_weights_.assign(weights.begin(), weights.end());
}

Result<SamplerFactory> make_tasting_bonus(Settings& settings) {
  TastingBonusSampler::Options options;
  MASH_ASSIGN(const auto num_features, settings.integer("features", options.num_features, 1, 1 << 24));
  MASH_ASSIGN(const auto stock_size, settings.integer("tasted", options.stock_size, 1, 1 << 16));
  MASH_ASSIGN(options.beta, settings.real("beta", options.beta, 0, 1e6));
  MASH_ASSIGN(options.rho, settings.real("rho", options.rho, 0, 1e6));
  options.num_features = std::uint32_t(num_features);
  options.stock_size = std::uint32_t(stock_size);
  return sampler_factory<TastingBonusSampler>(options);
}

}  // namespace mash
