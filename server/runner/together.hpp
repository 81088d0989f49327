// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <variant>

#include "server/runner/judging.hpp"

namespace mash::server {

// Measures what published submissions of one contributor add to a board together, by the test side alone: a
// judgement without a report, with as many seeds as the board has. Their plugins are built and their features
// are computed once more, and forgotten. Errors: kStopped.
Result<std::variant<Judgement, Refusal>> measure_together(std::span<const Submission> members,
                                                          const PreparedBoard& board,
                                                          const JudgingPlaces& places,
                                                          const WorkContext& work);

}  // namespace mash::server
