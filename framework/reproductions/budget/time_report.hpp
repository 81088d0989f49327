// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/reproductions/common/report.hpp"

namespace mash {

// How a model was brought within a budget.
enum class TimedMethod {
  kTrained,       // the booster `budgeted` was told the budget
  kCutShort,      // the first hypotheses of the unlimited model that the budget pays
  kStoppedEarly,  // the unlimited model, reordered (order_by_worth), until the class is certain
};

// Results of one seed's model on the test side within one budget.
struct TimedModel {
  TimedMethod method = TimedMethod::kTrained;
  double budget = 0;        // microseconds a picture, by the measured costs
  double test_error = 0;    // fraction
  double microseconds = 0;  // mean per picture, one thread, extraction included: measured
  double spent = 0;         // the same by the measured costs
};

// How often each model is timed: the fastest pass counts, because other load can only add time.
inline constexpr std::uint32_t kTimingPasses = 3;

// The one that took the least time. REQUIRES: at least one.
const TimedModel& fastest(std::span<const TimedModel> passes);

// All of them, and the unlimited model.
struct BudgetTimes {
  std::string dataset;
  std::size_t num_families = 0;
  bool has_fewer_rounds = false;               // than were asked for: nothing is concluded
  std::vector<double> unlimited_errors;        // of each seed
  std::vector<double> unlimited_microseconds;  // likewise
  std::vector<double> unlimited_prices;        // likewise, by the measured costs
  std::vector<TimedModel> models;              // the seeds in the same order for each method and budget
};

// A row for each method and budget, means over the seeds; what a model within 100 microseconds is worth
// beside the unlimited one, or where the limit lies; a figure.
ReproductionReport budget_time_report(const BudgetTimes& times);

}  // namespace mash
