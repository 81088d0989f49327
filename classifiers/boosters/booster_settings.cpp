// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "classifiers/boosters/adaboost_mh.hpp"

namespace mash {

Result<std::unique_ptr<BoosterSettings>> make_adaboost_mh(Settings& settings) {
  constexpr std::array<std::string_view, 2> kLosses{"exponential", "logistic"};
  constexpr std::array<std::string_view, 3> kInits{"uniform", "balanced", "class_balanced"};
  constexpr std::array<std::string_view, 3> kModes{"i16", "i8", "f64"};
  const auto index = [](const auto& names, std::string_view name) {
    return std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
  };
  auto result = std::make_unique<BoosterSettings>();
  MASH_ASSIGN(const auto rounds, settings.integer("rounds", 100, 1, 10'000'000));
  MASH_ASSIGN(const auto loss, settings.choice("loss", "exponential", kLosses));
  MASH_ASSIGN(const auto init, settings.choice("init", "uniform", kInits));
  MASH_ASSIGN(const auto mode, settings.choice("scan", "i16", kModes));
  MASH_ASSIGN(result->stop_on_perfect, settings.boolean("stop_on_perfect", false));
  result->num_rounds = std::uint32_t(rounds);
  result->loss = LossKind(index(kLosses, loss));
  result->init = InitialWeights(index(kInits, init));
  result->scan.mode = ScanMode(index(kModes, mode));
  return {std::move(result)};
}

}  // namespace mash
