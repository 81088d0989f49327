// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/analysis/offer_verdict.hpp"
#include "framework/base/statistics.hpp"
#include "framework/reproductions/common/report.hpp"

namespace mash {

// The result of an offer test of one planted family.
struct PlantedRepetition {
  OfferVerdict verdict = OfferVerdict::kUndecided;
  double gain = 0;  // per cent of the log-loss
  std::size_t num_seeds = 0;
};

// Families of one kind.
struct PlantedRepetitions {
  std::string kind;
  std::string expected;  // what should be said of them, in words
  // By how many per cent whole trainings with one of them end with less log-loss; nothing where not measured.
  std::vector<double> trained_gains;
  std::vector<PlantedRepetition> repetitions;
  bool is_noise = false;  // says nothing of the class
};

// The probability of that number of errors or more in num_trials, each an error with `probability`.
double binomial_tail(std::size_t num_errors, std::size_t num_trials, double probability);

// A row for each kind; how often noise was said to add, against 5 %.
ReproductionReport simulation_report(std::span<const PlantedRepetitions> kinds);

}  // namespace mash
