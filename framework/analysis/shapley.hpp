// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/analysis/family_subset.hpp"
#include "framework/base/credit_parts.hpp"
#include "framework/base/rank_sets.hpp"
#include "framework/base/result.hpp"

namespace mash {

// Families that are trained with one of the seeds of a game.
struct SeededSubset {
  FamilySubset families;
  std::size_t seed_idx = 0;

  auto operator<=>(const SeededSubset&) const = default;
};

// v of a subset.
struct SubsetValue {
  double mean = 0;
  std::vector<float> of_pictures = {};  // those of which it is the mean, as many for each subset; or none
};

// v of each of the subsets, none of which is empty, none twice.
using SubsetValues = std::function<Result<std::vector<SubsetValue>>(std::span<const SeededSubset>)>;

// The largest number of families of which all subsets are asked for with every seed: 127 of seven.
inline constexpr std::size_t kMostFamiliesOfAllOrders = 7;

// The worth of sets of families. A set may be worth more than a larger one.
struct FamilyGame {
  std::vector<std::string> names;  // of the families, no two alike: permutations are drawn by them
  double empty_value = 0;          // v of no family, of each picture
  std::size_t num_seeds = 1;       // v of a subset differs between them; its mean is what the subset is worth
  SubsetValues values;
};

struct ShapleySettings {
  std::size_t num_pairs = 12;  // of a permutation and the same backwards, at most
  std::size_t batch = 2;       // pairs whose subsets are asked for at once
  double seconds = 0;          // no new batch is begun after that many; 0: no limit
  bool walks_all = false;      // all num_pairs, also where fewer tell enough
  std::uint64_t seed = 1;
};

struct ShapleyValue {
  double mean = 0;            // of what it adds to those before it, over all orders of the families
  double standard_error = 0;  // over permutations, seeds and pictures; infinite: too few permutations to tell
  double degrees = 0;         // of freedom of the error; 0: not known, as of one seed

  // Whether the error leaves something to read.
  bool is_measured() const { return standard_error <= std::abs(mean) / 2; }
  // Half of the interval that misses with 5 % (Student's t); nothing where the degrees are not known.
  std::optional<double> reach() const;
};

struct ShapleyCredit {
  std::vector<ShapleyValue> families;
  std::vector<CreditParts> parts;    // of each family
  double total = 0;                  // v(all) - v(empty): what the means add up to
  std::size_t num_permutations = 0;  // drawn; 0: all subsets were few enough to be asked for
  std::size_t num_subsets = 0;       // different ones that v was asked of
};

// The number-th permutation of families, by hashes of (seed, number / 2, name): another family changes
// nothing in the order of the others. Those with an odd number are the one before backwards.
std::vector<std::size_t> family_order(std::span<const std::string> names, std::uint64_t seed,
                                      std::size_t number);

// Shapley values of all families. Where a family comes first or last they are exact: v of each family alone,
// of all families, and of all but each is asked for. In between, what a family adds is a mean over sampled
// permutations (Castro, Gomez & Tejada 2009), each walked to its end for any worth of the subsets:
//   phi_k = (first_k + last_k + (n - 2) mean middle_k) / n,
// with the error of that mean, from pairs of opposite permutations. What then lacks in the sum is shared by
// the families in proportion to their squared errors, so that they add up to v(all) - v(empty). New
// permutations are drawn until every error is below a tenth of the largest value, or the settings' limits
// (four pairs at least, and three with both of any two families in the middle: errors of fewer may be small
// by chance, and two families cannot be told apart by them). All subsets are asked for, and nothing is drawn,
// of up to kMostFamiliesOfAllOrders families, or where they are no more than the permutations would need:
// then all orders count, and errors come from seeds and pictures alone.
//
// The seeds of a game take turns: each pair of permutations is walked with one of them, so that the error
// over the pairs holds that of the seeds too; the ends, or all subsets, are asked for with every seed.
//
// Pictures are a sample too: where v of single pictures is known, so is a credit of each, and the deviation
// of these is a part of the error. It holds a share of what the seeds leave, so errors are rather too large.
//
// v is asked of no subset twice. Errors: those of `values`. REQUIRES: at least one family, pair and seed.
Result<ShapleyCredit> shapley_values(const FamilyGame& game, const ShapleySettings& settings);

// The same value with the error that its parts tell: the sum of the variances of the means of pairs, seeds
// and pictures, with the degrees of freedom that give each of them a t of its own in the tails. Nothing where
// they are too few: fewer than three pairs that count where orders were drawn, or one seed.
std::optional<ShapleyValue> with_error_of(double mean, const CreditParts& parts);

// How much more one family is credited with than another: the difference of their means, with the error of
// the differences of their parts, pair by pair, seed by seed and picture by picture. Nothing where there are
// too few to tell (with_error_of).
std::optional<PairDifference> credit_difference(double one, const CreditParts& of_one, double other,
                                                const CreditParts& of_other);

// The largest number of subsets of num_families families that shapley_values asks for, beside the ends.
std::size_t most_inner_subsets(std::size_t num_families, const ShapleySettings& settings,
                               std::size_t num_seeds);

}  // namespace mash
