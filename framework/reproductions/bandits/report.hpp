// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/records/test_errors.hpp"
#include "framework/reproductions/bandits/published.hpp"
#include "framework/reproductions/common/report.hpp"

namespace mash {

// Results of our runs of one cell of the bandits' table.
struct BanditResult {
  std::size_t learner = 0, method = 0, set = 0;  // indices in the tables of published.hpp
  std::uint32_t round = 0;                       // T
  std::uint32_t num_rounds = 0;                  // that were trained: 6T/5
  std::vector<std::vector<RoundError>> runs;     // per seed, after each round
};

// A row per cell: the paper's smoothed error, ours (mean and standard deviation over the seeds), the seconds
// of training up to T, how long it took to first come down to the error that FULL had at its T, beside FULL's
// own time, and what was adapted (bandit_adaptation). The remarks say for each weak learner how many errors
// are above the paper's, by how much on average, and with which p of a two-sided sign test over the cells.
// The picture has a panel of errors against seconds for each data set and weak learner. No Markdown.
ReproductionReport bandit_report(std::span<const BanditResult> results);

// For runs on a validation set: T where the smoothed error was smallest, and that error. No Markdown, no
// picture.
struct BanditChoice {
  BanditResult result;
  double eta = 0, lambda = 0;  // of Exp3.P; lambda 0: it is another method
};
ReproductionReport bandit_validation_report(std::span<const BanditChoice> choices);

}  // namespace mash
