// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/analysis/offer_verdict.hpp"
#include "framework/analysis/paired_losses.hpp"
#include "framework/base/statistics.hpp"
#include "framework/reproductions/common/report.hpp"

namespace mash {

// The worth of a family in a pool, by three measures on the test side.
struct MeasuredFamily {
  std::string name;
  PairedLosses trained;        // before: trained without it; after: with it
  std::vector<double> errors;  // short trainings: error without it less error with it, a fraction, per seed
  GainAtLook offered;          // the offer test's last look, in per cent of the log-loss
  OfferVerdict verdict = OfferVerdict::kUndecided;
};

// The families of one data set.
struct MeasuredPool {
  std::string set;
  std::uint32_t rounds = 0, short_rounds = 0;  // of a training; of a short one
  std::size_t offer_rounds = 0;                // of all seeds and families of the offer test, in all
  std::vector<MeasuredFamily> families;
};

// The gain by trainings with and without it in per cent of the log-loss, 100 ln(without / with), with its
// 95 % interval: two-way error, Student's t over seeds.
Estimate trained_gain(const MeasuredFamily& family);

// Spearman's correlation, and where 95 % of its resamples lie: families drawn with replacement.
struct CorrelationInterval {
  double value = 0, low = 0, high = 0;
};
struct ComparedCorrelations {
  CorrelationInterval offered, errors;  // of either statistic with the truth
  CorrelationInterval difference;       // the first less the second, in the same resamples
};
// REQUIRES: as many of each, at least three.
ComparedCorrelations compare_correlations(std::span<const double> truth, std::span<const double> offered,
                                          std::span<const double> errors);

// The table of all pools, the correlations in words, what failed, and a figure.
ReproductionReport contribution_report(std::span<const MeasuredPool> pools);

}  // namespace mash
