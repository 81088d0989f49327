// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/bandit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "framework/base/elementary.hpp"

namespace mash {
namespace {

Result<BanditSampler::Options> read_options(Settings& settings) {
  using Arms = BanditSampler::Arms;
  constexpr std::array kArms{Choice{"family", Arms::kFamilies}, Choice{"feature", Arms::kFeatures}};
  BanditSampler::Options options;
  MASH_ASSIGN(options.arms, settings.one_of("arms", options.arms, kArms));
  MASH_ASSIGN(const auto num_features, settings.integer("features", 10, 1, 1 << 24));
  if (options.arms == Arms::kFeatures && settings.has("features"))
    MASH_TRY(settings.refuse(
        input_error("{}: features is for arms that are families; found it beside arms: feature",
                    settings.where("features"))));
  MASH_ASSIGN(options.reward_scale, settings.real("scale", 1, 1e-9, 1e9));
  options.num_features = std::uint32_t(num_features);
  return options;
}

// Several arms at once, and one pull of each to begin with, are for policies that judge arms by themselves.
Status read_pulls(Settings& settings, bool all_features_first, BanditSampler::Options& options) {
  MASH_ASSIGN(const auto num_pulls, settings.integer("pulls", 1, 1, 1 << 24));
  options.num_pulls = std::uint32_t(num_pulls);
  const bool first = all_features_first && options.arms == BanditSampler::Arms::kFeatures;
  MASH_ASSIGN(options.pull_all_first, settings.boolean("pull_all_first", first));
  return Done{};
}

}  // namespace

double bandit_reward(double edge, double scale) {
  const double rest = 1 - edge * edge;
  return rest <= 2e-12 ? 1 : std::min(1.0, scale * -0.5 * stable_log(rest));
}

Status BanditSampler::start(StumpScan& scan, const TrainingPlan& plan) {
  const FeatureSet& features = scan.features();
  const bool by_family = options_.arms == Arms::kFamilies;
  const std::size_t num_arms = by_family ? features.num_families() : features.num_features();
  policy_ = make_policy_(num_arms, double(plan.num_rounds));
  if (!options_.pull_all_first) return Done{};
  const auto arms = feature_range(0, std::uint32_t(num_arms));
  pull(arms, scan, FeatureDraw(features, {plan.seed, 0}, "sampler.bandit.first"), Charge::kStock);
  return Done{};
}

std::vector<std::uint32_t> BanditSampler::features_of(std::uint32_t arm, const FeatureDraw& chosen) const {
  if (options_.arms == Arms::kFeatures) return {arm};
  return chosen.from_family(arm, options_.num_features);
}

Candidate BanditSampler::pull(std::span<const std::uint32_t> arms, StumpScan& scan, const FeatureDraw& chosen,
                              Charge charge) {
  std::vector<std::uint32_t> sorted(arms.begin(), arms.end()), candidates;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::size_t> ends;  // of each arm's candidates
  for (const std::uint32_t arm : sorted) {
    const auto drawn = features_of(arm, chosen);
    candidates.insert(candidates.end(), drawn.begin(), drawn.end());
    ends.push_back(candidates.size());
  }
  if (charge == Charge::kCost)
    scan.ledger().offer(candidates);
  else
    scan.ledger().stock(candidates.size());
  const Priority ties = chosen.feature_ties();
  const std::vector<Candidate> evaluated = scan.evaluate(candidates, {}, charge);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < sorted.size(); begin = ends[i], ++i) {
    const Candidate& best = best_of(std::span(evaluated).subspan(begin, ends[i] - begin), ties);
    // In a node of a tree: the edge with the weights that reach it, which do not add up to 1.
    policy_->reward(sorted[i], bandit_reward(best.edge * scan.weights().share(), options_.reward_scale));
  }
  return best_of(evaluated, ties);
}

std::uint32_t BanditSampler::propose(StumpScan& scan, const Round& round) {
  const FeatureDraw chosen(scan.features(), round, "sampler.bandit");
  const bool by_family = options_.arms == Arms::kFamilies;
  const auto arms = policy_->choose(
      options_.num_pulls,
      {round.stream("sampler.bandit").uniform(), by_family ? chosen.family_ties() : chosen.feature_ties()});
  return pull(arms, scan, chosen, Charge::kCost).feature;
}

Result<SamplerFactory> make_ucb(Settings& settings) {
  MASH_ASSIGN(auto options, read_options(settings));
  MASH_TRY(read_pulls(settings, true, options));
  return sampler_factory<BanditSampler>(
      options, [](std::size_t num_arms, double) { return make_ucb_policy(num_arms); });
}

Result<SamplerFactory> make_ucbv(Settings& settings) {
  MASH_ASSIGN(auto options, read_options(settings));
  MASH_TRY(read_pulls(settings, true, options));
  return sampler_factory<BanditSampler>(
      options, [](std::size_t num_arms, double) { return make_ucbv_policy(num_arms); });
}

Result<SamplerFactory> make_exp3p(Settings& settings) {
  MASH_ASSIGN(const auto options, read_options(settings));
  Exp3P::Parameters parameters;
  MASH_ASSIGN(parameters.eta, settings.real("eta", parameters.eta, 0, 1e6));
  MASH_ASSIGN(parameters.lambda, settings.real("lambda", parameters.lambda, 1e-9, 1));
  MASH_ASSIGN(const double delta, settings.real("delta", 0, 0, 1));
  if (delta > 0 && (settings.has("eta") || settings.has("lambda")))
    MASH_TRY(settings.refuse(input_error(
        "{}: delta sets eta and lambda by theory; found it beside one of them", settings.where("delta"))));
  return sampler_factory<BanditSampler>(
      options, [=](std::size_t num_arms, double num_rounds) -> std::unique_ptr<ArmPolicy> {
        return std::make_unique<Exp3P>(num_arms, num_rounds,
                                       delta > 0 ? Exp3P::theory(num_arms, num_rounds, delta) : parameters);
      });
}

Result<SamplerFactory> make_epsilon_greedy(Settings& settings) {
  MASH_ASSIGN(auto options, read_options(settings));
  MASH_TRY(read_pulls(settings, false, options));
  MASH_ASSIGN(const double ratio, settings.real("ratio", 1, 0, 1e9));
  return sampler_factory<BanditSampler>(
      options, [=](std::size_t num_arms, double) { return make_epsilon_greedy_policy(num_arms, ratio); });
}

}  // namespace mash
