// SPDX-License-Identifier: Apache-2.0
#include "classifiers/builtin.hpp"

#include <algorithm>
#include <array>

#include "classifiers/samplers/full.hpp"
#include "classifiers/samplers/laminating.hpp"
#include "classifiers/samplers/tasting.hpp"
#include "classifiers/samplers/uniform.hpp"
#include "classifiers/weak/stump.hpp"

namespace mash {
namespace {

constexpr std::array kSamplers{
    Builtin<Sampler>{"full", "all features on all examples", "", make_full},
    Builtin<Sampler>{
        "laminating", "tournament of candidates on ever more examples (Dubout & Fleuret 2014, Alg. 4)",
        "features: auto|N, examples: auto|N, budget: 10, family_balanced: false", make_laminating},
    Builtin<Sampler>{"tasting.1q",
                     "all candidates from the family that a stock of its features recommends (ibid., Alg. 1)",
                     "features: 10, tasted: 100", make_tasting_1q},
    Builtin<Sampler>{"tasting.q1",
                     "each candidate from the family that can best raise the edge so far (ibid., Alg. 2)",
                     "features: 10, tasted: 100", make_tasting_q1},
    Builtin<Sampler>{"uniform.1q", "features of one family, drawn alike (ibid., section 6.3)", "features: 10",
                     make_uniform_1q},
    Builtin<Sampler>{"uniform.naive", "features drawn alike from all families together (ibid.)",
                     "features: 10", make_uniform_naive},
    Builtin<Sampler>{"uniform.q1", "one feature from each of some families, drawn alike (ibid.)",
                     "features: 10", make_uniform_q1},
};

constexpr std::array kWeakLearners{
    Builtin<WeakLearner>{"stump", "a threshold on one feature with a vote per class (Schapire & Singer 1999)",
                         "cuts: codes|exact", make_stump},
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

std::span<const Builtin<Sampler>> builtin_samplers() { return kSamplers; }
std::span<const Builtin<WeakLearner>> builtin_weak_learners() { return kWeakLearners; }

Result<const Builtin<Sampler>*> find_sampler(std::string_view name) {
  return find("sampler", name, kSamplers);
}
Result<const Builtin<WeakLearner>*> find_weak_learner(std::string_view name) {
  return find("weak learner", name, kWeakLearners);
}

Result<BoosterSettings> make_booster_settings(Settings& settings) {
  constexpr std::array<std::string_view, 2> kLosses{"exponential", "logistic"};
  constexpr std::array<std::string_view, 3> kInits{"uniform", "balanced", "class_balanced"};
  constexpr std::array<std::string_view, 3> kModes{"i16", "i8", "f64"};
  const auto index = [](const auto& names, std::string_view name) {
    return std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
  };
  BoosterSettings result;
  MASH_ASSIGN(const auto rounds, settings.integer("rounds", 100, 1, 10'000'000));
  MASH_ASSIGN(const auto loss, settings.choice("loss", "exponential", kLosses));
  MASH_ASSIGN(const auto init, settings.choice("init", "uniform", kInits));
  MASH_ASSIGN(const auto mode, settings.choice("scan", "i16", kModes));
  MASH_ASSIGN(result.stop_on_perfect, settings.boolean("stop_on_perfect", false));
  result.num_rounds = std::uint32_t(rounds);
  result.loss = LossKind(index(kLosses, loss));
  result.init = InitialWeights(index(kInits, init));
  result.scan.mode = ScanMode(index(kModes, mode));
  return result;
}

}  // namespace mash
