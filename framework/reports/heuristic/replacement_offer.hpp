// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "framework/analysis/replacement.hpp"

namespace mash {

// Whether a heuristic could replace another one, as `mash heuristic try --replace` shows it.
struct ReplacementOffer {
  std::string heuristic, replaced;
  std::size_t num_others = 0;  // families beside which both were offered
  std::size_t num_held_out = 0;
  double relevant = 1;                                 // per cent of the log-loss
  std::vector<ReplacementAtLook> looks;                // at least one; the last decides
  double microseconds = 0, replaced_microseconds = 0;  // per image, one thread
  std::size_t num_played = 0, num_found = 0;           // seeds: now, and kept from before
  double seconds = 0;                                  // of this test
};

// Whether it could, in one sentence, with both gains and their ratio; and the one thing to do next.
std::string headline(const ReplacementOffer& offer);
std::string next_step(const ReplacementOffer& offer);

// A line for each look, the first with a title.
std::string look_lines(const ReplacementOffer& offer);
// Every figure; gains are in per cent of the log-loss.
nlohmann::ordered_json to_json(const ReplacementOffer& offer);

}  // namespace mash
