// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <oneapi/tbb/cache_aligned_allocator.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/online/error_sums.hpp"
#include "classifiers/online/online_stump.hpp"

namespace mash {

// Columns have room for whole blocks of stumps, which is what processors take at once; what a block has
// beyond the stumps that are in use is worked on with them, and never looked at.
inline constexpr std::size_t kStumpBlock = 8;
inline std::size_t whole_blocks(std::size_t num_stumps) {
  return (num_stumps + kStumpBlock - 1) / kStumpBlock * kStumpBlock;
}

template <class Number>
using StumpColumn = std::vector<Number, oneapi::tbb::cache_aligned_allocator<Number>>;

// An example as it enters some stumps.
struct WeightedSign {
  int sign = 1;       // in {-1, +1}
  double weight = 1;  // >= 0
};

// Answers of some stumps to an example, 1 or 0 each: whether it is above the threshold, whether the stump is
// right.
struct StumpMarks {
  explicit StumpMarks(std::size_t num_stumps) : above(num_stumps), right(num_stumps) {}
  StumpColumn<double> above, right;
};

// State of OnlineStumps without a start, by column, so that several learn at once: with the same bits.
class StumpColumns {
 public:
  // All know nothing. REQUIRES: whole blocks.
  explicit StumpColumns(std::size_t size);

  // The stumps [first, first + marks.above.size()) learn from an example, each from its value, which may be
  // any float; the marks are what they say after it. REQUIRES: whole blocks; as many values as marks.
  void teach(std::size_t first, std::span<const float> values, WeightedSign example, StumpMarks& marks);

  // Stump i as it answers now, on this feature.
  FeatureStump now(std::size_t i, std::uint32_t feature) const;
  // It knows nothing from now on.
  void forget(std::size_t i);

  // As OnlineStump's; read returns the feature.
  void write(std::size_t i, std::uint32_t feature, StateWriter& writer) const;
  std::uint32_t read(std::size_t i, StateReader& reader);

 private:
  struct Means {
    StumpColumn<double> weight, value;
  };
  std::array<Means, 2> means_;  // of the examples with -1, with +1
};

// State of stumps that are judged by examples with weights of their own, by column: which weights they were
// right and wrong on (ErrorSums), and, where it is wanted, how sure each may be on either side of its
// threshold: the weighted mean of the signs of the examples that fell there, in [-1, 1], and 0 where none
// did. That is the constant that comes closest to the signs on that side in weighted squares, so a stump with
// this answer is the step of GentleBoost (Friedman, Hastie & Tibshirani 2000, Algorithm 4). It is measured,
// and not computed from the two Gaussians: it holds for features of any distribution, knows how rare a sign
// is, and is constant on each side, as a model wants it. An example counts w * 0.99^a there, with a the
// number of later examples on either side.
class JudgedColumns {
 public:
  // REQUIRES: whole blocks.
  JudgedColumns(std::size_t size, bool keeps_sides);

  // Adds an example to the stumps [first, first + marks.above.size()), and says the error of each after it.
  // REQUIRES: whole blocks; as many errors as marks.
  void judge(std::size_t first, const StumpMarks& marks, WeightedSign example, std::span<double> errors);
  // The errors of as many stumps. REQUIRES: whole blocks.
  void errors(std::size_t first, std::span<double> errors) const;

  ErrorSums sums(std::size_t i) const { return {right_[i], wrong_[i]}; }
  // How sure stump i may be. REQUIRES: keeps_sides.
  double mean(std::size_t i, bool above) const {
    return side_weights_[above][i] > 0 ? side_sums_[above][i] / side_weights_[above][i] : 0;
  }
  // As one that was right and wrong on the weight 1, and knows nothing of its sides.
  void start_again(std::size_t i);

  // Right and wrong; below and above the weights and then the sums of the signs.
  void write_sums(std::size_t i, StateWriter& writer) const;
  void read_sums(std::size_t i, StateReader& reader);
  void write_sides(std::size_t i, StateWriter& writer) const;
  void read_sides(std::size_t i, StateReader& reader);
  bool keeps_sides() const { return !side_weights_[0].empty(); }

 private:
  StumpColumn<double> right_, wrong_;
  std::array<StumpColumn<double>, 2> side_weights_,
      side_sums_;  // [below, above]; empty where they are not kept
};

// The place of the smallest number, of the largest; the first of equals. REQUIRES: whole blocks.
std::size_t place_of_smallest(std::span<const double> numbers);
std::size_t place_of_largest(std::span<const double> numbers);

}  // namespace mash
