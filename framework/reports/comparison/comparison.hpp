// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/analysis/gain_parts.hpp"
#include "framework/analysis/paired_errors.hpp"
#include "framework/records/offer_details.hpp"
#include "framework/records/run_record.hpp"

namespace mash {

// The most that are compared at once: more do not fit into one figure.
inline constexpr std::size_t kMaxCompared = 6;

// Key and value of what was set or is known beforehand, in the order in which they are shown.
using KnownSettings = std::vector<std::pair<std::string, std::string>>;

// A family's part in a classifier, the mean over its runs.
struct FamilyPart {
  std::string name;
  std::optional<double> share = {};  // of the sum of the weights alpha; nothing where there are no votes
  double cuts = 0;
};

// A classifier: an experiment with all its runs, one run or trial, or a model file.
struct ComparedSide {
  std::string argument;  // as the user named it
  std::string kind;      // "experiment", "run", "trial" or "model"
  std::string name;      // of the experiment; of a model what it consists of
  std::vector<std::int64_t> run_ids = {};
  std::vector<std::uint64_t> seeds = {};                   // of the runs; none of a model
  std::string dataset = {}, fingerprint = {};              // empty: a model that was asked about none
  std::string judging_side = "test";                       // or "validation": of the data set
  std::vector<std::string> class_names = {};               // of the data set
  std::vector<std::uint16_t> labels = {};                  // of that side
  std::vector<std::vector<std::uint16_t>> predicted = {};  // run by run; none: not recorded
  KnownSettings settings = {};
  KnownSettings defaults = {};                              // values that hold where `settings` say nothing
  std::map<std::string, std::vector<double>> figures = {};  // by key (kComparedFigures), of each run
  std::vector<FamilyPart> families = {};
  std::vector<std::vector<CurvePoint>> curves = {};  // of each run
};

// A version of a heuristic: what its offer test found.
struct ComparedOffer {
  std::string argument;
  KeptOffer offer;
  OfferDetails details;
  KnownSettings settings = {};
};

// Two of those that are compared. Differences are the second less the first.
struct ComparedPair {
  std::size_t first = 0, second = 1;
  std::size_t num_examples = 0, num_seeds = 0;  // of both
  std::optional<PairedDifference> over_examples = {}, over_seeds = {}, over_both = {};
  // The decisive one of these, with an interval that leaves out 0 where p_corrected is below 5 %.
  std::optional<PairedDifference> shown = {};
  std::optional<double> p_corrected = {};  // of the decisive one, for all pairs (Holm)
  std::string why_not = {};                // why nothing of these is known; empty: some is

  // The one that speaks of the most: of other seeds and other examples, else of other examples. Null: none.
  const PairedDifference* decisive() const;
  // Whether the decisive one is no chance, corrected for all pairs.
  bool is_told_apart() const { return p_corrected && *p_corrected < kCertain; }
};

// How two differ on the examples of a class; in the measure of the comparison.
struct ClassDifference {
  std::size_t second = 1;       // compared with the first of all
  PairedDifference difference;  // with an interval that leaves out 0 where p_corrected is below 5 %
  std::optional<double> p_corrected = {};  // for all classes and sides together (Holm)
};
struct ComparedClass {
  std::string name;
  std::size_t num_examples = 0;
  std::vector<double> errors;  // of each side; none of offers
  std::vector<ClassDifference> differences;
};

struct ComparisonReport {
  // One of these two is empty, the other is not.
  std::vector<ComparedSide> sides;    // compared by their test errors, as fractions
  std::vector<ComparedOffer> offers;  // compared by their gains, in per cent of the log-loss
  std::vector<ComparedPair> pairs;    // each with each
  std::vector<ComparedClass> classes;
  std::vector<std::string> remarks;
  std::string command;  // that makes what a comparison of offers lacks; empty: it lacks nothing

  bool is_of_offers() const { return !offers.empty(); }
  std::size_t size() const { return is_of_offers() ? offers.size() : sides.size(); }
  const std::string& argument(std::size_t i) const {
    return is_of_offers() ? offers[i].argument : sides[i].argument;
  }
  const KnownSettings& settings(std::size_t i) const;
  // "validation error" where all sides are judged by theirs, else "test error".
  std::string error_name() const;
};

// "A", "B", ... REQUIRES: below kMaxCompared.
std::string letter_of(std::size_t i);

// Compares classifiers: on the same test examples where the data are the same. REQUIRES: 2 to kMaxCompared.
ComparisonReport compare_sides(std::vector<ComparedSide> sides);

// Compares offer tests: on the same seeds and examples where data, pool and program are the same. REQUIRES: 2
// to kMaxCompared.
ComparisonReport compare_offers(std::vector<ComparedOffer> offers);

// Whether offers can be compared seed by seed: the same data, side, pool, base and program; else which of
// these differ, in words.
std::string differences_of_ground(const KeptOffer& first, const KeptOffer& second);

}  // namespace mash
