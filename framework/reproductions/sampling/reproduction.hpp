// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "classifiers/events/observer.hpp"
#include "framework/records/records.hpp"
#include "framework/render/table.hpp"
#include "framework/reproductions/sampling/published.hpp"

namespace mash {

// Results of our runs of one method: a curve per seed.
struct ReproducedMethod {
  PublishedMethod method;
  std::vector<std::vector<CurvePoint>> curves;
  std::vector<TuningRecord> tunings;  // per seed
};

// A published table beside ours.
struct Reproduction {
  const PublishedTable* table = nullptr;
  std::uint32_t num_rounds = 0;
  std::size_t num_train = 0;  // examples of the training side
  // Settings were given in place of the publication's: its errors are no measure of ours.
  bool is_changed = false;
  std::vector<ReproducedMethod> methods;
};

// One row per method and published number of rounds that was reached: the paper's loss and error, ours (mean
// and, of several seeds, standard deviation), the differences, the wall seconds of training so far, and the
// cost of a round in evaluations for each training example.
Table reproduction_table(const Reproduction& reproduction);

// In words: the rank correlation with the paper's errors at each number of rounds, of five methods at least,
// how many methods are at most 0.35 points worse, which cost more than the paper's 10 N a round, how the
// training loss of methods that the paper does not have differs from the least of those that it has (paired
// over the seeds), which methods look at a stock of features beside their cost, and what tuning took.
std::vector<std::string> reproduction_summary(const Reproduction& reproduction);

// Title, caveat, a table for each number of rounds, the summary and the command, as Markdown.
std::string reproduction_markdown(const Reproduction& reproduction, const std::string& command);

}  // namespace mash
