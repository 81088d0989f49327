// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/base/parallel.hpp"

namespace mash {

// The boosting weights with the labels folded in: G_nl = w_nl * y_nl, row by row. Their magnitudes add up to
// 1 except for rounding; total() is the actual sum. Edges must be divided by total(). Otherwise the error of
// the sum grows from round to round, and the sum is two or three times 1 after a few hundred rounds with
// large edges. A single-label example n has G_nl >= 0 for its own class and <= 0 for all others. Where a
// problem of two classes has one column, the sign says which class it is.
class SignedWeights {
 public:
  // All weights zero. REQUIRES: labels[n] < num_classes.
  SignedWeights(std::span<const std::uint16_t> labels, std::size_t num_classes);

  std::size_t num_examples() const { return labels_.size(); }
  std::size_t num_classes() const { return num_classes_; }
  std::span<const std::uint16_t> labels() const { return labels_; }

  std::span<const double> row(std::size_t example_idx) const {
    return {&signed_[example_idx * num_classes_], num_classes_};
  }
  std::span<double> row(std::size_t example_idx) {
    return {&signed_[example_idx * num_classes_], num_classes_};
  }
  std::span<const double> all() const { return signed_; }
  std::span<double> all() { return signed_; }

  // w_n = sum over l of |G_nl|, and the sum of these.
  std::span<const double> example_weights() const { return example_weights_; }
  double total() const { return total_; }
  // The number of changes of the weights. Values derived from the weights are out of date once this number
  // has changed.
  std::uint64_t num_changes() const { return num_changes_; }

  // Calls change(begin, end, sums) for blocks of rows, on several threads. `change` changes these rows and
  // fills in w_n of each.
  template <class Change>
  void update(const Workers& workers, const Change& change) {
    ++num_changes_;
    total_ = workers.sum_blocks(num_examples(), kBlock, [&](std::size_t begin, std::size_t end) {
      const auto sums = std::span(example_weights_).subspan(begin, end - begin);
      change(begin, end, sums);
      return sum_of(sums);
    });
  }

  // Brings the sums up to date. Call it after rows were written.
  void update_example_weights(const Workers& workers) { scale(workers, 1); }

  // Scales the weights so that the sum of all |G| is 1. Returns the sum before.
  double normalise(const Workers& workers);
  // Multiplies all weights by a factor.
  void scale(const Workers& workers, double factor);

  static constexpr std::size_t kBlock = 4096;  // rows per block of deterministic sums

 private:
  static double sum_of(std::span<const double> values);

  std::span<const std::uint16_t> labels_;
  std::size_t num_classes_;
  std::vector<double> signed_;           // N x K
  std::vector<double> example_weights_;  // N
  double total_ = 0;
  std::uint64_t num_changes_ = 0;
};

// Initial weights. uniform: every weight is 1/(NK). balanced: each example has 1/N, half of it on its own
// class and half on the others (Busa-Fekete & Kegl 2010, eq. 2). class_balanced: each class has 1/K, half of
// it on its own examples and half on the others.
enum class InitialWeights { kUniform, kBalanced, kClassBalanced };

// Fills in the initial weights.
void initialise(InitialWeights policy, const Workers& workers, SignedWeights& weights);

}  // namespace mash
