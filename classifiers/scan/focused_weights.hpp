// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "classifiers/scan/signed_weights.hpp"
#include "framework/base/parallel.hpp"

namespace mash {

// Examples and weights of a search that does not use all examples with the booster's weights. They are the
// examples that reach a node of a tree, or all examples with the signs that the other terms of a product
// leave.
struct Focus {
  std::span<const std::uint32_t> rows;      // numbers of examples, increasing; empty: all
  double share = 1;                         // > 0: their share of all weight, by which weights are divided
  std::span<const std::uint8_t> negated{};  // 1: the example's weights change sign; empty: none do
};

// The cell of each example in focus, and the number of cells.
struct ColumnCells {
  std::span<const std::uint8_t> cells;
  std::size_t num_cells = 0;
};

// The signed weights of the examples in focus, whose sizes add up to 1. Examples are counted within the
// focus.
class FocusedWeights {
 public:
  // weights: the booster's, of all examples, changed by it between rounds. All examples are in focus.
  FocusedWeights(const SignedWeights& weights, const Workers& workers);

  // Also called when the booster has changed its weights. What `focus` points to outlives it.
  void set_focus(const Focus& focus);

  const SignedWeights& of_all() const { return weights_; }
  std::size_t num_classes() const { return weights_.num_classes(); }
  std::size_t num_examples() const { return example_weights().size(); }
  // The numbers of the examples among all, increasing; empty: all of them.
  std::span<const std::uint32_t> examples() const { return focus_.rows; }
  // w_n, the sum over classes of |G_nl|.
  std::span<const double> example_weights() const {
    return focus_.rows.empty() ? weights_.example_weights()
                               : std::span<const double>(focused_example_weights_);
  }
  // Their share of all weight.
  double share() const { return focus_.share; }

  // The booster's weights of an example in focus, and the factor that they are multiplied by.
  std::uint32_t number_of(std::size_t i) const {
    return focus_.rows.empty() ? std::uint32_t(i) : focus_.rows[i];
  }
  std::span<const double> row(std::size_t i) const { return weights_.row(number_of(i)); }
  double factor_of(std::size_t i) const {
    return focus_.negated.empty() || focus_.negated[i] == 0 ? unit_ : -unit_;
  }

  // The signed weights in focus, num_examples x K. `buffer` holds them where they are not the booster's own.
  std::span<const double> signed_weights(std::vector<double>& buffer) const;

  // The signed weights summed by cell: num_cells x K. cells[i]: the cell of example i. The sums have the same
  // bits for any number of threads.
  std::vector<double> class_sums(std::span<const std::uint8_t> cells, std::size_t num_cells) const {
    const ColumnCells column{cells, num_cells};
    return std::move(class_sums({&column, 1})[0]);
  }
  // The same for several columns; two at a time share a walk over the weights.
  std::vector<std::vector<double>> class_sums(std::span<const ColumnCells> columns) const;

  // The largest |G_nl|.
  double largest() const;

 private:
  const SignedWeights& weights_;
  const Workers& workers_;
  Focus focus_;
  double unit_ = 1;  // factor of the booster's weights that makes those in focus add up to 1
  std::vector<double> focused_example_weights_;  // of focus_.rows
};

}  // namespace mash
