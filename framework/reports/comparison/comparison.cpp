// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/comparison/comparison.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "framework/analysis/paired_losses.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

// Places of what two sides have of the same seed.
using SeedPairs = std::vector<std::pair<std::size_t, std::size_t>>;

SeedPairs common_seeds(const std::vector<std::uint64_t>& first, const std::vector<std::uint64_t>& second) {
  SeedPairs pairs;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto found = std::find(second.begin(), second.end(), first[i]);
    if (found != second.end()) pairs.emplace_back(i, std::size_t(found - second.begin()));
  }
  return pairs;
}

Mistakes mistakes_of(const ComparedSide& side) {
  Mistakes mistakes;
  for (const auto& predicted : side.predicted) {
    auto& of_run = mistakes.emplace_back(predicted.size());
    for (std::size_t n = 0; n < predicted.size(); ++n) of_run[n] = predicted[n] != side.labels[n];
  }
  return mistakes;
}

std::string obstacle(const ComparisonReport& comparison, std::size_t i) {
  const ComparedSide& side = comparison.sides[i];
  if (side.fingerprint.empty()) return fmt::format("{} was asked about no data set", letter_of(i));
  if (side.predicted.empty() || side.labels.size() < 2)
    return fmt::format("{} has no recorded predictions", letter_of(i));
  return "";
}

// Why the same examples cannot be looked at; empty: they can.
std::string why_not_paired(const ComparisonReport& comparison, std::size_t first, std::size_t second) {
  for (const std::size_t i : {first, second})
    if (std::string reason = obstacle(comparison, i); !reason.empty()) return reason;
  const ComparedSide &a = comparison.sides[first], &b = comparison.sides[second];
  if (a.fingerprint == b.fingerprint && a.labels == b.labels) return "";
  return fmt::format(
      "the data differ ({}: {} with fingerprint {}, {}: {} with {}), so that no test example of the one is "
      "known to be one of the other",
      letter_of(first), a.dataset, a.fingerprint.substr(0, 12), letter_of(second), b.dataset,
      b.fingerprint.substr(0, 12));
}

// The difference of two sides on the examples of which these are the mistakes.
void compare_mistakes(const Mistakes& first, const Mistakes& second, const SeedPairs& seeds,
                      ComparedPair& pair) {
  pair.over_examples = within_errors(difference_over_examples(first, second));
  if (seeds.size() < 2) return;
  Mistakes of_first, of_second;
  std::vector<double> first_errors, second_errors;
  for (const auto& [i, k] : seeds) {
    of_first.push_back(first[i]);
    of_second.push_back(second[k]);
    first_errors.push_back(error_of(first[i]));
    second_errors.push_back(error_of(second[k]));
  }
  pair.over_seeds = within_errors(difference_over_seeds(first_errors, second_errors));
  pair.over_both = within_errors(difference_over_both(of_first, of_second));
}

void compare_pair(const ComparisonReport& comparison, ComparedPair& pair) {
  pair.why_not = why_not_paired(comparison, pair.first, pair.second);
  const ComparedSide &a = comparison.sides[pair.first], &b = comparison.sides[pair.second];
  const SeedPairs seeds = common_seeds(a.seeds, b.seeds);
  pair.num_seeds = seeds.size();
  if (!pair.why_not.empty()) return;
  pair.num_examples = a.labels.size();
  compare_mistakes(mistakes_of(a), mistakes_of(b), seeds, pair);
}

std::vector<ComparedPair> all_pairs(std::size_t count) {
  std::vector<ComparedPair> pairs;
  for (std::size_t first = 0; first < count; ++first)
    for (std::size_t second = first + 1; second < count; ++second)
      pairs.push_back(ComparedPair{.first = first, .second = second});
  return pairs;
}

void correct_pairs(std::vector<ComparedPair>& pairs) {
  std::vector<PairedDifference*> shown;
  for (ComparedPair& pair : pairs)
    if (const PairedDifference* difference = pair.decisive()) {
      pair.shown = *difference;
      shown.push_back(&*pair.shown);
    }
  const auto corrected = correct_together(shown);
  auto next = corrected.begin();
  for (ComparedPair& pair : pairs)
    if (pair.shown) pair.p_corrected = *next++;
}

void correct_classes(std::vector<ComparedClass>& classes) {
  std::vector<PairedDifference*> shown;
  for (ComparedClass& of_class : classes)
    for (ClassDifference& other : of_class.differences) shown.push_back(&other.difference);
  const auto corrected = correct_together(shown);
  auto next = corrected.begin();
  for (ComparedClass& of_class : classes)
    for (ClassDifference& other : of_class.differences) other.p_corrected = *next++;
}

double mean_error(const Mistakes& mistakes) {
  double sum = 0;
  for (const auto& run : mistakes) sum += error_of(run);
  return sum / double(mistakes.size());
}

// The errors of the sides that were asked about the same examples as the first, class by class.
std::vector<ComparedClass> classes_of_sides(const ComparisonReport& comparison) {
  const ComparedSide& first = comparison.sides[0];
  if (!obstacle(comparison, 0).empty()) return {};
  std::vector<Mistakes> mistakes(comparison.sides.size());
  for (std::size_t i = 0; i < mistakes.size(); ++i)
    if (i == 0 || why_not_paired(comparison, 0, i).empty()) mistakes[i] = mistakes_of(comparison.sides[i]);
  if (std::all_of(mistakes.begin() + 1, mistakes.end(), [](const Mistakes& of) { return of.empty(); }))
    return {};
  std::vector<ComparedClass> classes;
  const auto groups = groups_by_class(first.labels, first.class_names.size());
  for (std::size_t c = 0; c < groups.size(); ++c) {
    ComparedClass& of_class = classes.emplace_back();
    of_class.name = first.class_names[c];
    of_class.num_examples = groups[c].size();
    of_class.errors.assign(comparison.sides.size(), std::numeric_limits<double>::quiet_NaN());
    if (groups[c].size() < 2) continue;
    const Mistakes own = mistakes_on(mistakes[0], groups[c]);
    of_class.errors[0] = mean_error(own);
    for (std::size_t i = 1; i < mistakes.size(); ++i) {
      if (mistakes[i].empty()) continue;
      const Mistakes other = mistakes_on(mistakes[i], groups[c]);
      of_class.errors[i] = mean_error(other);
      ComparedPair pair;
      compare_mistakes(own, other, common_seeds(first.seeds, comparison.sides[i].seeds), pair);
      of_class.differences.push_back({i, *pair.decisive()});
    }
  }
  correct_classes(classes);
  return classes;
}

// The losses of two offers on the seeds that both have.
struct CommonLosses {
  std::vector<std::vector<double>> first, second;
};
CommonLosses common_losses(const ComparedOffer& a, const ComparedOffer& b) {
  CommonLosses losses;
  for (const OfferSeed& one : a.details.seeds)
    for (const OfferSeed& other : b.details.seeds)
      if (one.seed == other.seed && one.losses.size() == other.losses.size()) {
        losses.first.emplace_back(one.losses.begin(), one.losses.end());
        losses.second.emplace_back(other.losses.begin(), other.losses.end());
      }
  return losses;
}

void compare_pair_of_offers(const ComparisonReport& comparison, ComparedPair& pair) {
  const ComparedOffer &a = comparison.offers[pair.first], &b = comparison.offers[pair.second];
  const std::string differences = differences_of_ground(a.offer, b.offer);
  if (!differences.empty()) {
    pair.why_not = fmt::format("{} and {} differ in {}: their gains are beside something else each",
                               letter_of(pair.first), letter_of(pair.second), differences);
    return;
  }
  const CommonLosses losses = common_losses(a, b);
  pair.num_seeds = losses.first.size();
  if (pair.num_seeds < 2) {
    pair.why_not = fmt::format("the losses of {} and {} are recorded for {} in common, two are needed",
                               letter_of(pair.first), letter_of(pair.second),
                               pair.num_seeds == 0 ? "no seed" : "one seed");
    return;
  }
  pair.num_examples = losses.first[0].size();
  PairedLosses paired(pair.num_examples);
  for (std::size_t s = 0; s < pair.num_seeds; ++s) paired.add(losses.first[s], losses.second[s]);
  pair.over_both = difference_with_error(paired.gain(), gain_error(paired, 0));
  // seed_gains: of the second beyond the first.
  pair.over_seeds = difference_over_seeds(std::vector<double>(pair.num_seeds), paired.seed_gains());
}

// The part of each class's examples in the differences.
std::vector<ComparedClass> classes_of_offers(const ComparisonReport& comparison) {
  const ComparedOffer& first = comparison.offers[0];
  const auto& names = first.details.class_names;
  const auto groups = groups_by_class(first.details.labels, names.size());
  std::vector<ComparedClass> classes;
  for (std::size_t c = 0; c < groups.size(); ++c) classes.push_back({names[c], groups[c].size(), {}, {}});
  for (std::size_t i = 1; i < comparison.offers.size(); ++i) {
    const auto pair = std::find_if(comparison.pairs.begin(), comparison.pairs.end(),
                                   [&](const auto& p) { return p.first == 0 && p.second == i; });
    if (!pair->over_both) continue;
    const CommonLosses losses = common_losses(first, comparison.offers[i]);
    GroupedGains gains(pair->num_examples, groups);
    PairedLosses paired(pair->num_examples);
    for (std::size_t s = 0; s < losses.first.size(); ++s) {
      gains.add(loss_differences(losses.first[s], losses.second[s]));
      paired.add(losses.first[s], losses.second[s]);
    }
    for (const GainPart& part : gains.parts(paired.gain_factor()))
      classes[part.group_idx].differences.push_back({i, difference_with_error(part.gain, part.error)});
  }
  std::erase_if(classes, [](const ComparedClass& of_class) { return of_class.differences.empty(); });
  correct_classes(classes);
  return classes;
}

bool has(const KnownSettings& settings, std::string_view key) {
  return std::ranges::find(settings, key, &KnownSettings::value_type::first) != settings.end();
}

// Says the default of a side where another side sets something else.
void say_defaults(std::vector<ComparedSide>& sides) {
  for (ComparedSide& side : sides)
    for (const auto& fallback : side.defaults) {
      const std::string& key = fallback.first;
      const auto sets_it = [&](const ComparedSide& other) { return has(other.settings, key); };
      if (!has(side.settings, key) && std::ranges::any_of(sides, sets_it)) side.settings.push_back(fallback);
    }
}

}  // namespace

const PairedDifference* ComparedPair::decisive() const {
  if (over_both && (over_both->interval || !over_examples)) return &*over_both;
  return over_examples ? &*over_examples : nullptr;
}

const KnownSettings& ComparisonReport::settings(std::size_t i) const {
  static const KnownSettings kNone;
  return i < sides.size() ? sides[i].settings : i < offers.size() ? offers[i].settings : kNone;
}

std::string ComparisonReport::error_name() const {
  const auto is_validation = [](const ComparedSide& side) { return side.judging_side == "validation"; };
  return !sides.empty() && std::ranges::all_of(sides, is_validation) ? "validation error" : "test error";
}

std::string letter_of(std::size_t i) { return std::string(1, char('A' + i)); }

ComparisonReport compare_sides(std::vector<ComparedSide> sides) {
  require(sides.size() >= 2 && sides.size() <= kMaxCompared, "compare_sides: 2 to kMaxCompared");
  say_defaults(sides);
  ComparisonReport comparison;
  comparison.sides = std::move(sides);
  comparison.pairs = all_pairs(comparison.sides.size());
  for (ComparedPair& pair : comparison.pairs) compare_pair(comparison, pair);
  correct_pairs(comparison.pairs);
  comparison.classes = classes_of_sides(comparison);
  return comparison;
}

ComparisonReport compare_offers(std::vector<ComparedOffer> offers) {
  require(offers.size() >= 2 && offers.size() <= kMaxCompared, "compare_offers: 2 to kMaxCompared");
  ComparisonReport comparison;
  comparison.offers = std::move(offers);
  comparison.pairs = all_pairs(comparison.offers.size());
  for (ComparedPair& pair : comparison.pairs) compare_pair_of_offers(comparison, pair);
  correct_pairs(comparison.pairs);
  comparison.classes = classes_of_offers(comparison);
  return comparison;
}

std::string differences_of_ground(const KeptOffer& first, const KeptOffer& second) {
  const OfferRow &a = first.past.offer, &b = second.past.offer;
  std::vector<std::string> differences;
  if (a.dataset_fingerprint != b.dataset_fingerprint) differences.emplace_back("data");
  if (a.side != b.side) differences.emplace_back("the side that judges");
  if (first.pool_key != second.pool_key) differences.emplace_back("pool");
  if (a.base != b.base) differences.emplace_back("the base of the pool");
  if (a.trained_by != b.trained_by) differences.emplace_back("program, rounds or builds of the pool");
  return fmt::format("{}", fmt::join(differences, ", "));
}

}  // namespace mash
