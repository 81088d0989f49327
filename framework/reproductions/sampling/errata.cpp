// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/sampling/errata.hpp"

#include <cmath>

#include "framework/reproductions/sampling/laminating_bound.hpp"

namespace mash {

Table laminating_errata() {
  constexpr std::uint32_t kTrials = 100'000;
  Table table;
  table.title = "Dubout & Fleuret 2014, Lemma 1: how often a pass loses the one good learner of Q";
  table.columns = {{"num_features", "Q", Format::kCount},
                   {"num_examples", "S", Format::kCount},
                   {"delta", "delta", Format::kDecimal},
                   {"simulated", "simulated", Format::kDecimal},
                   {"printed", "bound as printed", Format::kDecimal},
                   {"corrected", "corrected bound", Format::kDecimal},
                   {"verdict", "verdict", Format::kText}};
  for (const std::uint32_t num_features : {2u, 8u, 64u})
    for (const std::uint64_t num_examples : {25u, 100u, 400u})
      for (const double delta : {.1, .2, .25, .4}) {
        const double simulated = laminating_failures(num_features, num_examples, delta, false, kTrials, 1);
        const LaminatingBound bound = laminating_lemma(delta, num_examples);
        const double error = 3 * std::sqrt(simulated * (1 - simulated) / kTrials);
        const char* verdict = simulated - error > bound.corrected ? "both fail"
                              : simulated - error > bound.printed ? "the printed one fails"
                                                                  : "both hold";
        table.rows.push_back({std::int64_t(num_features), std::int64_t(num_examples), delta, simulated,
                              bound.printed, bound.corrected, std::string(verdict)});
      }
  return table;
}

}  // namespace mash
