// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/laminating.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "classifiers/samplers/example_draw.hpp"
#include "classifiers/samplers/feature_draw.hpp"
#include "framework/base/progress.hpp"

namespace mash {
namespace {

// The fewest examples of a first pass. Nested passes have nearly twice as many in the end, so that more
// candidates are worth it: 1024 in place of 512 on MNIST.
constexpr std::uint64_t min_examples(Passes passes) { return passes == Passes::kNested ? 48 : 64; }

std::size_t num_passes(std::size_t num_candidates) { return std::size_t(std::bit_width(num_candidates - 1)); }

// The better half of the candidates (rounded up), again in the order of their numbers.
std::vector<std::uint32_t> better_half(std::span<const Candidate> candidates, const Priority& ties) {
  std::vector<double> merits;
  for (const Candidate& candidate : candidates) merits.push_back(candidate.merit);
  std::vector<std::uint32_t> kept = largest(merits, (candidates.size() + 1) / 2,
                                            [&](std::uint32_t i) { return ties(candidates[i].feature); });
  for (std::uint32_t& index : kept) index = candidates[index].feature;
  std::sort(kept.begin(), kept.end());
  return kept;
}

// One draw per pass: as many as it takes to halve the candidates, rounded up, to one. The examples of a pass
// do not depend on the passes before, so all are drawn at once.
std::span<const DrawnRows> draw_fresh(StumpScan& scan, const Round& round, std::size_t num_candidates,
                                      std::uint64_t num_examples) {
  const Stopwatch watch;
  const WeightedDraw weighted(scan.weights().example_weights(), scan.workers());
  scan.ledger().meters().phases.draw += watch.seconds();
  return scan.draw(num_passes(num_candidates), [&](std::size_t pass) {
    return weighted.draw(num_examples << pass, round, std::uint32_t(pass));
  });
}

std::span<const DrawnRows> draw_nested(StumpScan& scan, const Round& round, std::size_t num_candidates,
                                       std::uint64_t num_examples) {
  const Stopwatch watch;
  std::vector<std::uint64_t> sizes(num_passes(num_candidates));
  for (std::size_t pass = 0; pass < sizes.size(); ++pass) sizes[pass] = ((2ull << pass) - 1) * num_examples;
  std::vector<ExampleDraw> draws =
      nested_draws(scan.weights().example_weights(), sizes, round, scan.workers());
  scan.ledger().meters().phases.draw += watch.seconds();
  return scan.draw(draws.size(), [&](std::size_t pass) { return std::move(draws[pass]); });
}

Result<SamplerFactory> make_passes(Settings& settings, Passes passes) {
  MASH_ASSIGN(const LaminatingSettings size, laminating_settings(settings));
  MASH_ASSIGN(const bool family_balanced, settings.boolean("family_balanced", false));
  return sampler_factory<LaminatingSampler>(size.wanted, size.budget, family_balanced, passes);
}

}  // namespace

std::uint32_t laminate(StumpScan& scan, const Round& round, std::vector<std::uint32_t> candidates,
                       std::uint64_t num_examples, Passes passes) {
  return laminate(scan, round, std::move(candidates), num_examples, passes,
                  FeatureDraw(scan.features(), round, "sampler.ties").feature_ties());
}

std::uint32_t laminate(StumpScan& scan, const Round& round, std::vector<std::uint32_t> candidates,
                       std::uint64_t num_examples, Passes passes, const Priority& ties) {
  scan.ledger().offer(candidates);
  if (candidates.size() == 1) return candidates.front();
  const bool nested = passes == Passes::kNested;
  const auto draw_all = nested ? draw_nested : draw_fresh;
  bool first = true;
  for (const DrawnRows& drawn : draw_all(scan, round, candidates.size(), num_examples)) {
    const auto evaluated =
        nested && !first ? scan.extend(candidates, drawn) : scan.evaluate(candidates, drawn);
    first = false;
    if (drawn.draw.rows.empty()) return best_of(evaluated, ties).feature;
    candidates = better_half(evaluated, ties);
  }
  return candidates.front();
}

Result<std::uint64_t> auto_or_integer(Settings& settings, std::string_view key) {
  MASH_ASSIGN(const auto number, settings.integer_or(key, "auto", 1, 1 << 30));
  return std::uint64_t(number.value_or(0));
}

Result<LaminatingSettings> laminating_settings(Settings& settings) {
  LaminatingSettings size;
  MASH_ASSIGN(size.wanted.num_features, auto_or_integer(settings, "features"));
  MASH_ASSIGN(size.wanted.num_examples, auto_or_integer(settings, "examples"));
  MASH_ASSIGN(size.budget, settings.real("budget", size.budget, 1e-6, 1e9));
  if (size.wanted.num_features > 0 && size.wanted.num_examples > 0)
    MASH_TRY(settings.refuse_without("budget", "features: auto or examples: auto"));
  return size;
}

std::uint64_t laminating_cost(const LaminatingSize& size, std::uint64_t num_train, Passes passes) {
  std::uint64_t cost = 0, num_examples = size.num_examples, num_known = 0;
  for (std::uint64_t left = size.num_features; left > 1; left = (left + 1) / 2, num_examples *= 2) {
    const std::uint64_t num_new = std::min(num_examples, num_train - num_known);
    cost += left * num_new;
    if (num_known + num_new == num_train) break;
    if (passes == Passes::kNested) num_known += num_new;
  }
  return cost;
}

LaminatingSize laminating_size(LaminatingSize wanted, std::uint64_t num_features, std::uint64_t num_train,
                               double budget, Passes passes) {
  LaminatingSize size = wanted;
  if (size.num_features == 0) {
    size.num_features = std::min<std::uint64_t>(2, num_features);
    for (std::uint64_t q = 2; q <= num_features; q *= 2) {
      const double num_examples = budget / (double(q) * double(num_passes(q)));
      if (num_examples >= double(wanted.num_examples ? wanted.num_examples : min_examples(passes)))
        size.num_features = q;
    }
  }
  size.num_features = std::min(size.num_features, num_features);
  const auto is_affordable = [&](std::uint64_t num_examples) {
    return double(laminating_cost({size.num_features, num_examples}, num_train, passes)) <= budget;
  };
  if (size.num_examples == 0 && is_affordable(num_train)) size.num_examples = num_train;  // one pass
  if (size.num_examples == 0) {
    std::uint64_t low = 1, high = num_train;
    while (low < high) {
      const std::uint64_t middle = (low + high + 1) / 2;
      if (is_affordable(middle))
        low = middle;
      else
        high = middle - 1;
    }
    size.num_examples = low;
  }
  return size;
}

LaminatingSize laminating_size(LaminatingSize wanted, const FeatureSet& features, double budget,
                               Passes passes, Remarks& remarks) {
  const std::uint64_t num_train = features.num_train();
  const double evaluations = budget * double(num_train);
  const LaminatingSize size =
      laminating_size(wanted, features.num_features(), num_train, evaluations, passes);
  const auto cost = double(laminating_cost(size, num_train, passes));
  if (wanted.num_examples == 0 && cost > evaluations)
    remarks.warn(
        fmt::format("{} candidates on one example each are more than the budget of {} evaluations a round: a "
                    "round costs {:.3g} N in place of {:.3g} N (N: {} training examples)",
                    size.num_features, evaluations, cost / double(num_train), budget, num_train));
  return size;
}

Status LaminatingSampler::start(StumpScan& scan, const TrainingPlan& plan) {
  size_ = laminating_size(wanted_, scan.features(), budget_, passes_, plan.remarks);
  return Done{};
}

std::vector<std::uint32_t> LaminatingSampler::draw_candidates(const FeatureSet& features,
                                                              const Round& round) const {
  const FeatureDraw chosen(features, round, "sampler.laminating");
  if (!family_balanced_) return chosen.from_all(size_.num_features);
  // Equal shares of what is left to draw, so that a small family's share goes to the later ones.
  const std::vector<std::uint32_t> families = chosen.families();
  std::vector<std::uint32_t> candidates;
  for (std::size_t i = 0; i < families.size(); ++i) {
    const std::uint64_t share = (size_.num_features - candidates.size()) / (families.size() - i);
    const auto drawn = chosen.from_family(families[i], share);
    candidates.insert(candidates.end(), drawn.begin(), drawn.end());
  }
  std::sort(candidates.begin(), candidates.end());
  return candidates;
}

std::uint32_t LaminatingSampler::propose(StumpScan& scan, const Round& round) {
  return laminate(scan, round, draw_candidates(scan.features(), round), size_.num_examples, passes_);
}

Result<SamplerFactory> make_laminating(Settings& settings) { return make_passes(settings, Passes::kFresh); }
Result<SamplerFactory> make_laminating_nested(Settings& settings) {
  return make_passes(settings, Passes::kNested);
}

}  // namespace mash
