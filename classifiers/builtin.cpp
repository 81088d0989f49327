// SPDX-License-Identifier: Apache-2.0
#include "classifiers/builtin.hpp"

#include <algorithm>
#include <array>

#include "classifiers/samplers/bandit.hpp"
#include "classifiers/samplers/full.hpp"
#include "classifiers/samplers/laminating.hpp"
#include "classifiers/samplers/mas.hpp"
#include "classifiers/samplers/tasted_laminating.hpp"
#include "classifiers/samplers/tasting.hpp"
#include "classifiers/samplers/tasting_bonus.hpp"
#include "classifiers/samplers/uniform.hpp"
#include "classifiers/weak/product.hpp"
#include "classifiers/weak/stump.hpp"
#include "classifiers/weak/tree.hpp"

namespace mash {
namespace {

constexpr std::array kBoosters{
    Builtin<BoosterSettings>{
        "adaboost.mh", "multi-class boosting of vote vectors (Schapire & Singer 1999)",
        "rounds: 100, loss: exponential|logistic, init: uniform|balanced|class_balanced, "
        "scan: i16|i8|f64, stop_on_perfect: false",
        make_adaboost_mh},
};

std::vector<std::string> powers_of_two(const FeatureSet&) {
  std::vector<std::string> values;
  for (int power = 0; power <= 11; ++power) values.push_back(std::to_string(1 << power));
  return values;
}

std::vector<std::string> family_names(const FeatureSet& features) {
  std::vector<std::string> names;
  for (const FamilyInfo& family : features.families()) names.push_back(family.spec.name);
  return names;
}

constexpr std::array kSamplers{
    Builtin<Sampler>{
        "best-family",
        "features of the one family with which training ends best (Dubout & Fleuret 2014, section 6.3)",
        "family: tuned|NAME, features: 10",
        make_best_family,
        {"family", family_names, true}},
    Builtin<Sampler>{
        "epsilon-greedy",
        "the family with the best mean reward, at times any (Dubout & Fleuret 2014, section 6.4)",
        "arms: family|feature, features: 10, pulls: 1, scale: 1, pull_all_first: true|false, ratio: 1|tuned",
        make_epsilon_greedy,
        {"ratio", powers_of_two}},
    Builtin<Sampler>{"exp3.p",
                     "families drawn by exponential weights of their rewards (Auer et al. 2002, section 6)",
                     "arms: family|feature, features: 10, scale: 1|tuned, eta: 0.3, lambda: 0.15, delta: 0",
                     make_exp3p,
                     {"scale", powers_of_two}},
    Builtin<Sampler>{"full", "all features on all examples, with which the others are compared", "",
                     make_full},
    Builtin<Sampler>{
        "laminating", "tournament of candidates on ever more examples (Dubout & Fleuret 2014, Alg. 4)",
        "features: auto|N, examples: auto|N, budget: 10, family_balanced: false", make_laminating},
    Builtin<Sampler>{"laminating.nested",
                     "Laminating whose passes keep the examples of those before, by priority (Duffield, Lund "
                     "& Thorup 2007)",
                     "features: auto|N, examples: auto|N, budget: 10, family_balanced: false",
                     make_laminating_nested},
    Builtin<Sampler>{"lazyboost",
                     "a few features drawn alike from all families (Escudero, Marquez & Rigau 2000)",
                     "features: 1", make_lazyboost},
    Builtin<Sampler>{"mas.1q",
                     "candidates of one family, as many on as many examples as promises most (Dubout & "
                     "Fleuret 2014, section 5)",
                     "budget: 10, deconvolve: false", make_mas_1q},
    Builtin<Sampler>{"mas.naive", "the same of all features together (Dubout & Fleuret 2014, Alg. 3)",
                     "budget: 10, deconvolve: false", make_mas_naive},
    Builtin<Sampler>{
        "mas.q1", "the same with candidates from every family that promises enough (Dubout & Fleuret 2014)",
        "budget: 10, deconvolve: false, blocks: 16", make_mas_q1},
    Builtin<Sampler>{"tasting.1q",
                     "all candidates from the family that a stock of its features recommends (Dubout & "
                     "Fleuret 2014, Alg. 1)",
                     "features: 10, tasted: 100", make_tasting_1q},
    Builtin<Sampler>{"tasting.bonus",
                     "tasting.1q that tastes a family again when its upper bound is the largest (Dubout & "
                     "Fleuret 2014, section 7)",
                     "features: 10, tasted: 100, beta: 1, rho: 0.5", make_tasting_bonus},
    Builtin<Sampler>{
        "tasting.laminating",
        "Laminating over candidates that Tasting shares out among families (Dubout & Fleuret 2014, section "
        "7)",
        "features: auto|N, examples: auto|N, budget: 10, tasted: 100, tasted_examples: 1000, floor: 0.1",
        make_tasting_laminating},
    Builtin<Sampler>{
        "tasting.nested", "laminating.nested over candidates that Tasting shares out among families",
        "features: auto|N, examples: auto|N, budget: 10, tasted: 100, tasted_examples: 4000, floor: 0.1",
        make_tasting_nested},
    Builtin<Sampler>{
        "tasting.q1",
        "each candidate from the family that can best raise the edge so far (Dubout & Fleuret 2014, Alg. 2)",
        "features: 10, tasted: 100", make_tasting_q1},
    Builtin<Sampler>{
        "ucb",
        "the family with the best upper confidence bound of rewards (Auer et al. 2002)",
        "arms: family|feature, features: 10, pulls: 1, scale: 1|tuned, pull_all_first: true|false",
        make_ucb,
        {"scale", powers_of_two}},
    Builtin<Sampler>{
        "ucbv",
        "the same with the rewards' variance in the bound (Audibert, Munos & Szepesvari 2009)",
        "arms: family|feature, features: 10, pulls: 1, scale: 1|tuned, pull_all_first: true|false",
        make_ucbv,
        {"scale", powers_of_two}},
    Builtin<Sampler>{"uniform.1q", "features of one family, drawn alike (Dubout & Fleuret 2014, section 6.3)",
                     "features: 10", make_uniform_1q},
    Builtin<Sampler>{"uniform.naive",
                     "features drawn alike from all families together (Dubout & Fleuret 2014)",
                     "features: 10", make_uniform_naive},
    Builtin<Sampler>{"uniform.q1",
                     "one feature from each of some families, drawn alike (Dubout & Fleuret 2014)",
                     "features: 10", make_uniform_q1},
};

constexpr std::array kWeakLearners{
    Builtin<WeakLearner>{
        "product", "a product of stumps, each fitted to what the others leave (Kegl & Busa-Fekete 2009)",
        "terms: 3, stop: cycle|first, max_cycles: 20, cuts: codes|exact", make_product},
    Builtin<WeakLearner>{"stump", "a threshold on one feature with a vote per class (Schapire & Singer 1999)",
                         "cuts: codes|exact", make_stump},
    Builtin<WeakLearner>{"tree",
                         "cuts of the leaf that gains most, a vote vector a leaf (Busa-Fekete & Kegl 2010)",
                         "leaves: 8, votes: free|factorised, cuts: codes|exact", make_tree},
};

template <class Part, std::size_t N>
Result<const Builtin<Part>*> find(std::string_view what, std::string_view name,
                                  const std::array<Builtin<Part>, N>& table) {
  std::vector<std::string_view> known;
  for (const auto& row : table) {
    if (row.name == name) return &row;
    known.push_back(row.name);
  }
  return unknown_name(what, name, known);
}

}  // namespace

std::span<const Builtin<BoosterSettings>> builtin_boosters() { return kBoosters; }
std::span<const Builtin<Sampler>> builtin_samplers() { return kSamplers; }
std::span<const Builtin<WeakLearner>> builtin_weak_learners() { return kWeakLearners; }

Result<const Builtin<BoosterSettings>*> find_booster(std::string_view name) {
  return find("booster", name, kBoosters);
}
Result<const Builtin<Sampler>*> find_sampler(std::string_view name) {
  return find("sampler", name, kSamplers);
}
Result<const Builtin<WeakLearner>*> find_weak_learner(std::string_view name) {
  return find("weak learner", name, kWeakLearners);
}

}  // namespace mash
