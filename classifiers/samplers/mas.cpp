// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/mas.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "classifiers/samplers/example_draw.hpp"
#include "classifiers/samplers/feature_draw.hpp"
#include "framework/base/require.hpp"
#include "framework/base/state_numbers.hpp"

namespace mash {
namespace {

constexpr std::uint64_t kMinExamples = 16;
constexpr double kProbeShare = 0.1;
constexpr std::uint64_t kProbedPerFamily = 16, kMinProbedPerFamily = 4;
constexpr std::uint64_t kProbedOfAll = 30;
constexpr std::size_t kMinToRefit = 5;  // fewer candidates say too little to forget the model before

// The size of a probe: features of each family, and examples.
struct ProbeSize {
  std::uint64_t per_family = kProbedPerFamily;
  std::uint64_t num_features = 0;
  std::uint64_t num_examples = 0;
};

ProbeSize probe_size(std::span<const std::uint64_t> sizes, double budget) {
  ProbeSize size;
  for (;; --size.per_family) {
    size.num_features = 0;
    for (const std::uint64_t family : sizes) size.num_features += std::min(family, size.per_family);
    size.num_examples = std::uint64_t(budget / double(size.num_features));
    if (size.num_examples >= kMinExamples || size.per_family == kMinProbedPerFamily) break;
  }
  size.num_examples = std::max<std::uint64_t>(1, size.num_examples);
  return size;
}

// The number of candidates that can be looked at on num_examples examples.
std::uint64_t num_candidates(double budget, std::uint64_t num_examples) {
  return std::uint64_t(budget / double(num_examples));
}

// The best allocation with this many examples.
Allocation best_with_examples(const AllocationProblem& problem, std::uint64_t num_examples,
                              std::uint64_t num_blocks, const AllocationTies& ties) {
  std::vector<const Mixture*> families;
  for (const Mixture& family : problem.families) families.push_back(&family);
  ExpectedEdge expected(families, edge_noise(num_examples, problem.num_train));
  std::vector<std::uint64_t> taken(families.size());
  Allocation best;
  best.num_examples = num_examples;
  best.expected_edge = -std::numeric_limits<double>::infinity();
  const std::uint64_t total =
      std::min(num_candidates(problem.budget, num_examples),
               std::accumulate(problem.sizes.begin(), problem.sizes.end(), std::uint64_t(0)));
  allocate(
      {total, (total + num_blocks - 1) / num_blocks, problem.sizes}, taken, ties,
      [&](std::size_t k, double count) { return expected.with(k, count); },
      [&](std::size_t k, double count, double edge) {
        expected.add(k, count);
        if (edge <= best.expected_edge) return;
        best.expected_edge = edge;
        best.num_features = taken;
      });
  return best;
}

// The largest expectation; among equals the one on more examples, which comes later.
Allocation best_allocation(std::span<const Allocation> allocations) {
  const Allocation* best = &allocations[0];
  for (const Allocation& allocation : allocations)
    if (allocation.expected_edge >= best->expected_edge) best = &allocation;
  return *best;
}

Result<SamplerFactory> make_mas(MasSampler::Kind kind, Settings& settings) {
  MasSampler::Options options;
  MASH_ASSIGN(options.budget, settings.real("budget", options.budget, 1e-6, 1e9));
  MASH_ASSIGN(options.deconvolve, settings.boolean("deconvolve", options.deconvolve));
  if (kind == MasSampler::Kind::kFamilies) {
    MASH_ASSIGN(const auto blocks, settings.integer("blocks", 16, 1, 1 << 24));
    options.num_blocks = std::uint64_t(blocks);
  }
  const std::string where = settings.where("budget");
  return sampler_factory<MasSampler>(kind, options, where.empty() ? "budget" : where + ": budget");
}

}  // namespace

std::vector<std::uint64_t> sample_sizes(std::uint64_t num_train, double budget) {
  require(budget >= 1, "sample_sizes: budget >= 1");
  const double most = std::min(double(num_train), budget);
  std::vector<std::uint64_t> sizes;
  for (double size = kMinExamples; size < most; size *= 1.4142135623730951)
    sizes.push_back(std::uint64_t(size));
  // The end of the grid, which is also all of it where there are few examples or little to spend.
  sizes.push_back(std::uint64_t(most));
  if (sizes.size() > 1 && sizes[sizes.size() - 2] == sizes.back()) sizes.pop_back();
  return sizes;
}

Allocation allocate_to_one(const AllocationProblem& problem, const AllocationTies& ties) {
  std::vector<Allocation> allocations;
  const std::size_t num_families = problem.families.size();
  for (const std::uint64_t num_examples : sample_sizes(problem.num_train, problem.budget)) {
    const auto count_of = [&](std::size_t k) {
      return std::min(num_candidates(problem.budget, num_examples), problem.sizes[k]);
    };
    std::vector<double> edges(num_families);
    for (std::size_t k = 0; k < num_families; ++k)
      edges[k] = expected_edge(problem.families[k], double(count_of(k)),
                               edge_noise(num_examples, problem.num_train));
    const std::uint32_t best = argmax(edges, [&](std::uint32_t k) { return ties(k, 0); });
    Allocation allocation{std::vector<std::uint64_t>(num_families), num_examples, edges[best]};
    allocation.num_features[best] = count_of(best);
    allocations.push_back(std::move(allocation));
  }
  return best_allocation(allocations);
}

Allocation allocate_greedily(const AllocationProblem& problem, std::uint64_t num_blocks,
                             const Workers& workers, const AllocationTies& ties) {
  const std::vector<std::uint64_t> all_sizes = sample_sizes(problem.num_train, problem.budget);
  std::vector<Allocation> allocations(all_sizes.size());
  // The fewest examples leave room for the most candidates, so that the longest comes first.
  workers.for_each_in_order(all_sizes.size(), [&](std::size_t i) {
    allocations[i] = best_with_examples(problem, all_sizes[i], num_blocks, ties);
  });
  return best_allocation(allocations);
}

Status MasSampler::start(StumpScan& scan, const TrainingPlan&) {
  const FeatureSet& features = scan.features();
  if (kind_ == Kind::kNaive) {
    sizes_ = {features.num_features()};
  } else {
    for (std::uint32_t k = 0; k < features.num_families(); ++k) sizes_.push_back(features.family_size(k));
  }
  models_.resize(sizes_.size());
  // The least that a round is made of: a probe on one example, and one candidate on another.
  const double least = 1 + double(kind_ == Kind::kNaive ? std::min(kProbedOfAll, sizes_[0])
                                                        : probe_size(sizes_, 0).num_features);
  const double budget = options_.budget * double(features.num_train());
  if (budget < least)
    return input_error("{}: found {}, which is {:.0f} evaluations a round; expected at least {:.0f}", where_,
                       options_.budget, budget, least);
  return Done{};
}

std::size_t MasSampler::model_of(const FeatureSet& features, std::uint32_t feature) const {
  return kind_ == Kind::kNaive ? 0 : features.family_of(feature);
}

void MasSampler::fit(const FeatureSet& features, std::span<const Candidate> measured, double noise) {
  std::vector<std::vector<double>> edges(models_.size());
  for (const Candidate& candidate : measured)
    edges[model_of(features, candidate.feature)].push_back(candidate.edge);
  for (std::size_t k = 0; k < models_.size(); ++k)
    models_[k] = fit_mixture(edges[k], fitted_ ? &models_[k] : nullptr, options_.deconvolve ? noise : 0);
  fitted_ = true;
}

double MasSampler::probe(StumpScan& scan, const Round& round, const WeightedDraw& weighted) {
  const FeatureSet& features = scan.features();
  const double budget = kProbeShare * options_.budget * double(features.num_train());
  const std::uint64_t num_in_focus = scan.weights().num_examples();
  const FeatureDraw chosen(features, round, "sampler.mas.probe");
  std::vector<std::uint32_t> probed;
  std::uint64_t num_examples = 0;
  if (kind_ == Kind::kNaive) {
    probed = chosen.from_all(kProbedOfAll);
    num_examples = std::max<std::uint64_t>(1, std::uint64_t(budget / double(probed.size())));
  } else {
    const ProbeSize size = probe_size(sizes_, budget);
    num_examples = size.num_examples;
    probed = chosen.from_families(std::vector<std::uint64_t>(sizes_.size(), size.per_family));
  }
  fit(features, scan.evaluate(probed, timed_draw(scan, weighted, num_examples, round, 0)),
      edge_noise(num_examples, num_in_focus));
  return double(probed.size()) * double(std::min(num_examples, num_in_focus));
}

std::uint32_t MasSampler::propose(StumpScan& scan, const Round& round) {
  const FeatureSet& features = scan.features();
  const WeightedDraw weighted(scan.weights().example_weights(), scan.workers());
  const std::uint64_t num_in_focus = scan.weights().num_examples();
  double budget = options_.budget * double(features.num_train());
  if (kind_ != Kind::kNaive || !fitted_) budget -= probe(scan, round, weighted);
  const AllocationProblem problem{models_, sizes_, num_in_focus, budget};
  const FeatureDraw chosen(features, round, "sampler.mas");
  // The naive kind's one model is of all families.
  const auto ties = [&](std::uint32_t k, std::uint64_t count) {
    return kind_ == Kind::kNaive ? 0 : chosen.family_priority(k, count);
  };
  const Allocation allocation = kind_ == Kind::kFamilies
                                    ? allocate_greedily(problem, options_.num_blocks, scan.workers(), ties)
                                    : allocate_to_one(problem, ties);
  const std::vector<std::uint32_t> candidates = kind_ == Kind::kNaive
                                                    ? chosen.from_all(allocation.num_features[0])
                                                    : chosen.from_families(allocation.num_features);
  scan.ledger().offer(candidates);
  const auto measured =
      scan.evaluate(candidates, timed_draw(scan, weighted, allocation.num_examples, round, 1));
  if (kind_ == Kind::kNaive && measured.size() >= kMinToRefit)
    fit(features, measured, edge_noise(allocation.num_examples, num_in_focus));
  return best_of(measured, chosen.feature_ties()).feature;
}

std::vector<double> MasSampler::state() const {
  if (!fitted_) return {};
  StateWriter writer;
  for (const Mixture& model : models_) {
    writer.add(model.components.size());
    for (const auto& [weight, mean, variance] : model.components) writer.add(weight, mean, variance);
  }
  return writer.take();
}

void MasSampler::restore(std::span<const double> state) {
  fitted_ = !state.empty();
  if (!fitted_) return;
  StateReader reader(state);
  for (Mixture& model : models_) {
    model.components.resize(reader.next<std::size_t>());
    for (auto& component : model.components)
      for (double* number : {&component.weight, &component.mean, &component.variance})
        *number = reader.next();
  }
  reader.finish();
}

Result<SamplerFactory> make_mas_naive(Settings& settings) {
  return make_mas(MasSampler::Kind::kNaive, settings);
}
Result<SamplerFactory> make_mas_1q(Settings& settings) {
  return make_mas(MasSampler::Kind::kOneFamily, settings);
}
Result<SamplerFactory> make_mas_q1(Settings& settings) {
  return make_mas(MasSampler::Kind::kFamilies, settings);
}

}  // namespace mash
