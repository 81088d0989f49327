// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/tasted_laminating.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "classifiers/samplers/example_draw.hpp"
#include "classifiers/samplers/feature_draw.hpp"
#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr std::uint64_t kNumBlocks = 16;
// The index of the stock's draw in a round, far from those of the tournament's passes, which count from 0.
constexpr std::uint32_t kStockPass = 1000;

// The edges of all families together, and ln F_k at each of them.
class PooledEdges {
 public:
  explicit PooledEdges(std::span<const std::vector<double>> families) {
    for (const auto& edges : families) values_.insert(values_.end(), edges.begin(), edges.end());
    std::sort(values_.begin(), values_.end());
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    for (const auto& edges : families) {
      std::vector<double> log_cdf;
      std::size_t below = 0;
      for (const double value : values_) {
        while (below < edges.size() && edges[below] <= value) ++below;
        log_cdf.push_back(below == 0 ? kNever : stable_log(double(below) / double(edges.size())));
      }
      log_cdf_.push_back(std::move(log_cdf));
    }
    log_product_.assign(values_.size(), 0);
  }

  // E[max] with `count` more draws of that family.
  double with(std::size_t family, double count) const {
    double sum = 0, below = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double log_share = log_product_[i] + count * log_cdf_[family][i];
      const double share = log_share < 0.5 * kNever ? 0 : stable_exp(log_share);
      sum += values_[i] * (share - below);
      below = share;
    }
    return sum;
  }
  void add(std::size_t family, double count) {
    if (count == 0) return;
    for (std::size_t i = 0; i < values_.size(); ++i) log_product_[i] += count * log_cdf_[family][i];
  }

 private:
  static constexpr double kNever = -1e12;  // ln 0: no draw is so small
  std::vector<double> values_;
  std::vector<std::vector<double>> log_cdf_;
  std::vector<double> log_product_;
};

Result<SamplerFactory> make_tasted(Settings& settings, TastedLaminatingSampler::Options options) {
  MASH_ASSIGN(const LaminatingSettings size, laminating_settings(settings));
  options.wanted = size.wanted;
  options.budget = size.budget;
  MASH_ASSIGN(const auto stock_size, settings.integer("tasted", options.stock_size, 1, 1 << 16));
  MASH_ASSIGN(const auto stock_examples,
              settings.integer("tasted_examples", std::int64_t(options.stock_examples), 1, 1 << 30));
  MASH_ASSIGN(options.floor_share, settings.real("floor", options.floor_share, 0, 1));
  options.stock_size = std::uint32_t(stock_size);
  options.stock_examples = std::uint64_t(stock_examples);
  return sampler_factory<TastedLaminatingSampler>(options);
}

}  // namespace

double expected_best_edge(std::span<const std::vector<double>> families,
                          std::span<const std::uint64_t> counts) {
  require(families.size() == counts.size() &&
              std::any_of(counts.begin(), counts.end(), [](auto count) { return count > 0; }),
          "expected_best_edge: a count for each family, some not 0");
  PooledEdges pooled(families);
  for (std::size_t k = 0; k < families.size(); ++k) pooled.add(k, double(counts[k]));
  return pooled.with(0, 0);
}

std::vector<std::uint64_t> share_out(std::span<const std::vector<double>> families,
                                     std::span<const std::uint64_t> sizes, std::uint64_t num_features,
                                     double floor_share, const AllocationTies& ties) {
  PooledEdges pooled(families);
  std::vector<std::uint64_t> counts(families.size());
  const auto least = std::uint64_t(floor_share * double(num_features) / double(families.size()));
  for (std::size_t k = 0; k < families.size(); ++k) {
    counts[k] = std::min(least, sizes[k]);
    pooled.add(k, double(counts[k]));
  }
  const std::uint64_t left = num_features - std::accumulate(counts.begin(), counts.end(), std::uint64_t(0));
  allocate(
      {left, std::max<std::uint64_t>(1, num_features / kNumBlocks), sizes}, counts, ties,
      [&](std::size_t k, double count) { return pooled.with(k, count); },
      [&](std::size_t k, double count, double) { pooled.add(k, count); });
  return counts;
}

Status TastedLaminatingSampler::start(StumpScan& scan, const TrainingPlan& plan) {
  const FeatureSet& features = scan.features();
  size_ = laminating_size(options_.wanted, features, options_.budget, options_.passes, plan.remarks);
  for (std::uint32_t k = 0; k < features.num_families(); ++k)
    family_sizes_.push_back(features.family_size(k));
  stock_.fill(scan, plan.seed, options_.stock_size);
  return Done{};
}

std::uint32_t TastedLaminatingSampler::propose(StumpScan& scan, const Round& round) {
  const FeatureSet& features = scan.features();
  const WeightedDraw weighted(scan.weights().example_weights(), scan.workers());
  const auto tasted =
      stock_.taste(scan, timed_draw(scan, weighted, options_.stock_examples, round, kStockPass));
  const FeatureDraw chosen(features, round, "sampler.tasting.laminating");
  const auto counts =
      share_out(tasted, family_sizes_, size_.num_features, options_.floor_share,
                [&](std::uint32_t k, std::uint64_t count) { return chosen.family_priority(k, count); });
  return laminate(scan, round, chosen.from_families(counts), size_.num_examples, options_.passes);
}

Result<SamplerFactory> make_tasting_laminating(Settings& settings) { return make_tasted(settings, {}); }
Result<SamplerFactory> make_tasting_nested(Settings& settings) {
  TastedLaminatingSampler::Options options;
  options.passes = Passes::kNested;
  options.stock_examples = 4000;
  return make_tasted(settings, options);
}

}  // namespace mash
