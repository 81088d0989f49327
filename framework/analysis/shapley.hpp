// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// Places of families, increasing.
using FamilySubset = std::vector<std::size_t>;

// v of each of the subsets, none of which is empty, none twice.
using SubsetValues = std::function<Result<std::vector<double>>(std::span<const FamilySubset>)>;

struct ShapleySettings {
  std::size_t num_permutations = 20;  // at most
  std::size_t batch = 4;              // permutations that are walked side by side
  double tolerance = 0.001;           // a walk ends where v(all) - v(what it has) is less
  double seconds = 0;                 // no new batch is begun after so many; 0: no limit
  std::uint64_t seed = 1;
};

struct ShapleyValue {
  double mean = 0;            // marginal gain over the permutations
  double standard_error = 0;  // of that mean, from pairs of opposite permutations; 0 for a single pair
};

struct ShapleyCredit {
  std::vector<ShapleyValue> families;
  double total = 0;  // v(all) - v(empty): what the means add up to
  std::size_t num_permutations = 0;
  std::size_t num_subsets = 0;    // different ones that v was asked of
  std::size_t num_truncated = 0;  // permutations that ended early
};

// Shapley values by sampled permutations (Castro, Gomez & Tejada 2009), each walked from the empty set until
// the rest can gain less than the tolerance (Ghorbani & Zou 2019); what is left is then shared equally by the
// families that were not reached, so that every permutation adds up to v(all) - v(empty). Every second
// permutation is the one before it backwards, which evens out who comes early. v is asked of no subset twice.
// Errors: those of `values`. REQUIRES: num_families >= 1, num_permutations >= 1.
Result<ShapleyCredit> shapley_values(std::size_t num_families, double empty_value, const SubsetValues& values,
                                     const ShapleySettings& settings);

// The Shapley value of one player, which may be several families, among the other families, from what comes
// before it in the same permutations: two subsets each. `batch`, `tolerance` and `seconds` are not looked at.
// Errors: those of `values`. REQUIRES: as above; player: not empty, increasing.
Result<ShapleyValue> shapley_value_of(const FamilySubset& player, std::size_t num_families,
                                      double empty_value, const SubsetValues& values,
                                      const ShapleySettings& settings);

}  // namespace mash
