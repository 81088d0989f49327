// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/result.hpp"

namespace mash {

// The unit of costs that were measured.
inline constexpr const char* kMicroseconds = "microseconds";

// Costs of the features of one family when a new example is classified. All costs are in one unit: seconds,
// or any that the user counts in.
struct FamilyCosts {
  std::string family;            // its name in the experiment
  std::vector<double> features;  // what each of its features costs
  double setup = 0;  // what they share, such as a transform of the image: paid once for all of them
};

// The same cost for each of `dim` features.
FamilyCosts equal_costs(std::string family, std::uint32_t dim, double cost);

// A cost drawn uniformly from [0, 2) for each feature (Huang, Powers & Reyzin, section 6). It depends on the
// seed, the family's name and the feature's place in it alone: another family changes no cost of this one.
FamilyCosts random_costs(std::string family, std::uint32_t dim, std::uint64_t seed);

// The part of a price that is for features, and the part that is for setting up families.
struct Price {
  double features = 0, setups = 0;
  double total() const { return features + setups; }
};

// Features and families that must be computed before a hypothesis can be evaluated: each feature and each
// family once, increasing. A cut that always holds needs nothing. A tree needs the features of all its cuts,
// for any path of an example.
struct Needs {
  std::vector<std::uint32_t> features;  // numbered through all families, as FeatureCosts does
  std::vector<std::uint32_t> families;
};

// The costs of all features of an experiment. Features are numbered family after family.
class FeatureCosts {
 public:
  // One entry for each family, in the order of the experiment's. unit: kMicroseconds, or any that the user
  // counts in (empty: no name is known). Errors (kInput): a cost that is negative or not finite. A feature
  // may be free.
  static Result<FeatureCosts> make(std::vector<FamilyCosts> families, std::string unit = "");

  const std::string& unit() const { return unit_; }

  std::size_t num_features() const { return costs_.size(); }
  std::size_t num_families() const { return setups_.size(); }
  double feature(std::uint32_t feature) const { return costs_[feature]; }
  double setup(std::uint32_t family) const { return setups_[family]; }
  std::uint32_t family_of(std::uint32_t feature) const;
  // The number of a family's first feature.
  std::uint32_t first_feature(std::uint32_t family) const { return begins_[family]; }

  // The cost of something free where a ratio is taken: 1e-9 of the median cost of a feature.
  double smallest() const { return 1e-9 * typical_; }
  // The cost of evaluating a hypothesis whose features are paid for: 1e-3 of the median cost of a feature.
  double evaluation() const { return 1e-3 * typical_; }

  // REQUIRES: the hypothesis is of a model with these families.
  Needs needs(const Hypothesis& hypothesis) const;
  // Those of each hypothesis. Errors (kInput): the model has other families than these costs, or families
  // with another number of features.
  Result<std::vector<Needs>> needs(const StrongClassifier& model) const;

  // The price where nothing has been paid for yet; also that of one feature and its family.
  Price price(const Needs& needs) const;
  Price price(std::uint32_t feature) const { return {costs_[feature], setups_[family_of(feature)]}; }

 private:
  std::string unit_;
  std::vector<double> costs_;          // of each feature
  std::vector<double> setups_;         // of each family
  std::vector<std::uint32_t> begins_;  // of each family among the features, and the end
  double typical_ = 1;  // the median cost; where it is 0 the median of the costs above 0; 1 where all are 0
};

// Whether a cost is at most the budget, up to the rounding of sums: ten features of 0.1 cost no more than 1.
bool is_within(double cost, double budget);

// Purchases out of a budget: each feature once, and each family's set-up once.
class Purchases {
 public:
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();

  // costs: outlive it. REQUIRES: budget >= 0.
  explicit Purchases(const FeatureCosts& costs, double budget = kUnlimited);

  double budget() const { return budget_; }
  double spent() const { return spent_; }
  double spent_on_setups() const { return spent_on_setups_; }
  bool has_paid(std::uint32_t feature) const { return has_feature_[feature]; }

  // The price of what has not been paid for yet.
  Price unpaid(const Needs& needs) const;
  // The same for one feature and its family.
  Price unpaid(std::uint32_t feature) const;

  // Whether this price can be paid, now that `spent` is gone.
  bool can_afford(const Price& price) const;
  // Pays what is unpaid. REQUIRES: can_afford(unpaid(needs)).
  void pay(const Needs& needs);

 private:
  const FeatureCosts* costs_;
  double budget_;
  double spent_ = 0, spent_on_setups_ = 0;
  std::vector<bool> has_feature_, has_setup_;
};

}  // namespace mash
