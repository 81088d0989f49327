// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace mash {

// Phases of the wall seconds of training; the rest is the sampler's arithmetic and the bookkeeping.
struct PhaseSeconds {
  double draw = 0;    // examples, from their weights
  double weigh = 0;   // rounding the weights of the examples to scan
  double gather = 0;  // fetching their codes
  double scan = 0;    // sums and cuts of the candidates
  double refit = 0;   // the chosen feature on all examples
  double update = 0;  // of the weights and the scores
};

struct Phase {
  std::string_view name;
  double PhaseSeconds::*seconds;
};

inline constexpr std::array kPhases{
    Phase{"draw", &PhaseSeconds::draw},     Phase{"weigh", &PhaseSeconds::weigh},
    Phase{"gather", &PhaseSeconds::gather}, Phase{"scan", &PhaseSeconds::scan},
    Phase{"refit", &PhaseSeconds::refit},   Phase{"update", &PhaseSeconds::update}};

// Costs of a run. Every evaluation of a feature is counted by the scan; a sampler only says whether an
// evaluation counts as cost.
struct Meters {
  std::uint64_t fe = 0;    // cost: candidates x examples, probes included; a nested pass counts new ones only
  std::uint64_t ops = 0;   // histogram additions: features x examples x classes, stored stocks included
  std::uint64_t ue = 0;    // evaluations of chosen learners: refits and weight updates
  std::uint64_t once = 0;  // feature evaluations before the first round
  double seconds = 0;      // wall seconds of training
  PhaseSeconds phases;     // how the seconds divide
};

}  // namespace mash
