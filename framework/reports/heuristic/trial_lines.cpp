// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/trial_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/analysis/offer_verdict.hpp"
#include "framework/base/statistics.hpp"
#include "framework/reports/cost_point.hpp"

namespace mash {
namespace {

constexpr double kSlowMicroseconds = 1000, kSlowFactor = 5;  // and beside the pool's median
constexpr double kManyDeadFeatures = 0.5;                    // constant or copied
constexpr std::size_t kNeighboursShown = 3, kClassesShown = 4;

// The look that would decide; null where none does.
const Look* deciding_look(const UndecidedTest& test) {
  return test.num_enough == 0 ? nullptr : next_look(std::max(test.num_enough - 1, test.num_seeds));
}

}  // namespace

std::string titled_line(std::string_view title, std::string_view text) {
  return fmt::format("{:<9} {}\n", title, text);
}

std::string neighbour_lines(std::span<const Neighbour> neighbours, std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(neighbours.size(), kNeighboursShown); ++i)
    text += titled_line(i == 0 ? "nearest" : "",
                        fmt::format("{:<18} CKA {:.2f}; explains {:.0f} % of it, is explained to {:.0f} %",
                                    names[neighbours[i].family_idx], neighbours[i].cka,
                                    100 * neighbours[i].explained_by, 100 * neighbours[i].explains));
  return text;
}

std::string class_list(std::span<const GainPart> parts, std::span<const std::string> names, bool helped) {
  std::vector<GainPart> sure(parts.begin(), parts.end());
  std::erase_if(
      sure, [&](const GainPart& part) { return part.p_corrected >= kCertain || (part.gain > 0) != helped; });
  std::stable_sort(sure.begin(), sure.end(),
                   [](const GainPart& a, const GainPart& b) { return std::abs(a.gain) > std::abs(b.gain); });
  if (sure.size() > kClassesShown) sure.resize(kClassesShown);
  std::string text;
  for (const GainPart& part : sure)
    text += fmt::format("{}class {} {:+.2f} ± {:.2f}", text.empty() ? "" : ", ", names[part.group_idx],
                        part.gain, part.standard_error());
  return text.empty() ? "no class for certain" : text + " (± standard error)";
}

std::string nothing_to_learn(std::string_view name, double pool_wrong, std::size_t num_judges,
                             std::string_view judges) {
  return fmt::format(
      "{} cannot be judged: these data leave nothing to be learned. The pool gets {:.3g} of {} {} pictures "
      "wrong (mean over seeds); from {} on a gain is measured.",
      name, pool_wrong, num_judges, judges, kLeastWrong);
}

std::string cost_of_knowing(const UndecidedTest& test) {
  const Look* look = deciding_look(test);
  if (look == nullptr)
    return fmt::format("the {} held-out pictures are too few to tell by {} seeds", test.num_held_out,
                       kLooks.back().num_seeds);
  const std::string seeds = fmt::format("about {} seeds would tell", look->num_seeds);
  if (test.is_one_of_many) return seeds;
  if (test.num_played == 0) return fmt::format("{}: --seeds {}", seeds, look->num_seeds);
  const double more =
      std::ceil(double(look->num_seeds - test.num_seeds) * test.seconds / double(test.num_played));
  return fmt::format("{}, {:.0f} s more: --seeds {} --seconds {:.0f}", seeds, more, look->num_seeds,
                     2 * more + 10);
}

std::string way_to_know(const UndecidedTest& test) {
  if (deciding_look(test) == nullptr) return "Try it on more pictures.";
  return test.is_one_of_many ? "Give the same command again: it goes on, with what was trained."
                             : "Go on with the --seeds and --seconds above: what was trained is kept.";
}

std::string median_in_words(const std::vector<double>& microseconds) {
  return microseconds.empty() ? "unknown" : fmt::format("{:.1f}", median(microseconds));
}

std::string cost_text(const FamilyCost& cost, const std::vector<double>& pool_microseconds) {
  std::string text =
      fmt::format("{} (the pool's median {}); {} features: {} constant, {} copies, {} more are in the pool",
                  cost_in_words(cost.microseconds_per_image), median_in_words(pool_microseconds), cost.dim,
                  cost.num_constant, cost.num_own_copies, cost.num_pool_copies);
  if (cost.num_faults > 0) text += fmt::format("; {} values are not finite", cost.num_faults);
  return text;
}

std::string cost_advice(const FamilyCost& cost, const std::vector<double>& pool_microseconds) {
  if (cost.num_faults > 0) return fmt::format("Fix the {} values that are not finite.", cost.num_faults);
  const double dead_share = double(cost.num_constant + cost.num_own_copies) / double(std::max(1u, cost.dim));
  if (dead_share > kManyDeadFeatures)
    return fmt::format("{:.0f} % of its features are constant or copies: leave them out.", 100 * dead_share);
  if (pool_microseconds.empty()) return "";
  const double of_pool = median(pool_microseconds);
  if (cost.microseconds_per_image > kSlowMicroseconds && cost.microseconds_per_image > kSlowFactor * of_pool)
    return fmt::format("It is slow, {:.0f} times the pool's median: share work between features in prepare.",
                       cost.microseconds_per_image / std::max(1e-9, of_pool));
  return "";
}

}  // namespace mash
