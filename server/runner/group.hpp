// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "server/runner/judging.hpp"

// Several published heuristics that are offered at once, or one beside others.
namespace mash::server {

// Measures what published submissions of one contributor add to a board together, by the test side alone: a
// judgement without a report, with as many seeds as the board has. Their plugins are built and their features
// are computed once more, and forgotten. Errors: kStopped.
Result<std::variant<Judgement, Refusal>> measure_together(std::span<const Submission> members,
                                                          const PreparedBoard& board,
                                                          const JudgingPlaces& places,
                                                          const WorkContext& work);

struct JudgementBeyond : Judgement {
  std::vector<std::int64_t> left_out = {};  // submissions that could not stand in the pool
};
// Measures in the same way what a published submission adds to a board and to others that stand there. One of
// these that is not built here any more, does not open, or whose features cannot be computed is left out of
// the pool, with a remark. others: of other heuristics. Errors: kStopped.
Result<std::variant<JudgementBeyond, Refusal>> measure_beyond(const Submission& submission,
                                                              std::span<const Submission> others,
                                                              const PreparedBoard& board,
                                                              const JudgingPlaces& places,
                                                              const WorkContext& work);

}  // namespace mash::server
