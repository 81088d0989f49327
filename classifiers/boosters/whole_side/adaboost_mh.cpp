// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/whole_side/adaboost_mh.hpp"

#include <array>

namespace mash {

Result<TrainingResult> AdaBoostMh::train(std::uint64_t seed, const TrainingContext& context) const {
  const WholeTrainingSide examples(options_.init);
  const auto step_rule = [this](const SignedWeights& initial_weights, const Workers& workers) {
    return make_step_rule(*options_.loss, initial_weights, workers);
  };
  return train_rounds(options_.rounds, {examples, options_.scan, hamming_criterion(), step_rule}, search(),
                      seed, context);
}

Result<std::unique_ptr<const Booster>> make_adaboost_mh(Settings& settings, SearchParts search,
                                                        std::span<const LossRow> losses) {
  constexpr std::array kInits{Choice{"uniform", InitialWeights::kUniform},
                              Choice{"balanced", InitialWeights::kBalanced},
                              Choice{"class_balanced", InitialWeights::kClassBalanced}};
  std::vector<Choice<const Loss*>> choices;
  for (const LossRow& row : losses) choices.push_back({row.name, &row.loss()});
  AdaBoostMh::Options options;
  MASH_ASSIGN(options.rounds.num_rounds, read_num_rounds(settings, 100));
  MASH_ASSIGN(options.loss, settings.one_of("loss", options.loss, choices));
  MASH_ASSIGN(options.init, settings.one_of("init", options.init, kInits));
  MASH_ASSIGN(options.scan, read_scan_mode(settings));
  MASH_ASSIGN(options.rounds.stop_on_perfect, settings.boolean("stop_on_perfect", false));
  return {std::make_unique<const AdaBoostMh>(options, std::move(search))};
}

}  // namespace mash
