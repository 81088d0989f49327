// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/base/parallel.hpp"

namespace mash {

// Prefix sums of weights, to look places up in: a place is a number in [0, sum of all weights).
class PrefixSums {
 public:
  // REQUIRES: weights >= 0, not all zero.
  PrefixSums(std::span<const double> weights, const Workers& workers);

  static constexpr std::size_t kBlock = 8;

  double total() const { return total_; }
  // Whole blocks, the last sum repeated.
  std::span<const double> sums() const { return {sums_.get(), num_sums_}; }
  // The last of each block; then a block of infinities.
  std::span<const double> block_ends() const { return block_ends_; }
  // A block at or shortly before the one that holds `place`.
  std::size_t block_before(double place) const { return guide_[std::size_t(place * guide_scale_)]; }

 private:
  // The sums of a part of the weights, as if none were before it. Gives their sum.
  double add_up(std::span<const double> weights, std::size_t begin);
  // Adds what is before the part, and notes where its blocks end.
  void shift(std::size_t begin, std::size_t end, double before);
  void fill_guide();

  std::size_t num_sums_;
  std::unique_ptr<double[]> sums_;
  std::vector<double> block_ends_;
  double total_ = 0;
  // The line is cut into equal cells: for each the last block that begins before it.
  std::vector<std::uint32_t> guide_;
  double guide_scale_ = 0;  // cells per weight
};

// For each place the example whose prefix sum is the first above it: the examples, each once, and how many
// places it has. places: increasing. rows, counts: room for as many. Gives how many of them were written.
std::size_t find_places(const PrefixSums& sums, std::span<const double> places, std::uint32_t* rows,
                        double* counts);

// The same with a binary search for each place: the reference.
std::size_t find_places_reference(const PrefixSums& sums, std::span<const double> places, std::uint32_t* rows,
                                  double* counts);

}  // namespace mash
