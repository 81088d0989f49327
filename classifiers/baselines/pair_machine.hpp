// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "classifiers/model/rows/kernel.hpp"
#include "framework/base/state_numbers.hpp"
#include "framework/base/work_context.hpp"

namespace mash {

// Rows of kernel values, of which the last ones that were asked for are kept. A row has the values of an
// example with all examples of two ranges of rows.
class KernelCache {
 public:
  // The rows outlive it. num_bytes: at most; two rows are kept in any case.
  KernelCache(const NumberRows& rows, const RowRange& first, const RowRange& second, const Kernel& kernel,
              std::size_t num_bytes);

  std::size_t size() const { return first_.count + second_.count; }
  std::size_t num_first() const { return first_.count; }  // of the first range
  // The row of example i < size(): valid until the next but one is asked for.
  std::span<const float> row(std::size_t i, const Workers& workers);
  double diagonal(std::size_t i) const;
  // Forgets all rows.
  void clear();

 private:
  RowRange row_of(std::size_t i) const {
    return {i < first_.count ? first_.first + i : second_.first + (i - first_.count), 1};
  }
  std::vector<float> computed(std::size_t i, const Workers& workers) const;

  const NumberRows& rows_;
  RowRange first_, second_;
  Kernel kernel_;
  std::size_t most_rows_;
  struct Kept {
    std::vector<float> values;
    std::list<std::size_t>::iterator place;
  };
  std::unordered_map<std::size_t, Kept> kept_;
  std::list<std::size_t> order_;  // the last one that was asked for is the first
};

// A support vector machine of two classes (Cortes & Vapnik 1995). It minimises, over a,
//   the sum over i and j of a_i a_j y_i y_j k(x_i, x_j) / 2 - the sum over i of a_i
// with 0 <= a_i <= C w_i and a sum of a_i y_i that is 0, by sequential minimal optimisation with second-order
// working sets (Fan, Chen & Lin 2005). y is 1 for the examples of the first range of the cache, and -1 for
// those of the second. It ends where the optimality conditions hold up to the tolerance.
class PairMachine {
 public:
  // cache: of the examples of both classes. costs: C w_i of each, above 0.
  PairMachine(KernelCache cache, std::vector<double> costs, double tolerance);

  // Takes a step. REQUIRES: it has not ended.
  void step(const Workers& workers);
  bool has_ended() const { return has_ended_; }
  std::uint64_t num_steps() const { return num_steps_; }

  // y_i a_i of each example, and the bias: f(x) = bias + the sum over i of these times k(x_i, x).
  std::vector<double> coefficients() const;
  double bias() const;
  const std::vector<double>& dual() const { return dual_; }
  // The derivative of the objective in each a_i.
  const std::vector<double>& gradient() const { return gradient_; }

  // Frees the memory of kernel values, which come back when they are needed.
  void rest() { cache_.clear(); }

  void keep(StateWriter& writer) const;
  // REQUIRES: a machine of the same examples was kept.
  void take_back(StateReader& reader);

 private:
  double target(std::size_t i) const { return i < cache_.num_first() ? 1 : -1; }
  bool may_rise(std::size_t i) const { return dual_[i] < costs_[i]; }
  bool may_fall(std::size_t i) const { return dual_[i] > 0; }
  // Whether y_i a_i may grow, or shrink.
  bool is_up(std::size_t i) const { return i < cache_.num_first() ? may_rise(i) : may_fall(i); }
  bool is_down(std::size_t i) const { return i < cache_.num_first() ? may_fall(i) : may_rise(i); }

  // The example with the largest -y gradient of those that may grow.
  std::optional<std::size_t> steepest() const;
  // The partner with which the objective falls most; nothing where the machine has ended.
  std::optional<std::size_t> partner_of(std::size_t i, std::span<const float> row) const;
  // Moves both along sum a_i y_i = 0 within their bounds. Returns by how much each moved.
  std::pair<double, double> move(std::size_t i, std::size_t j, double curvature);

  KernelCache cache_;
  std::vector<double> costs_;
  double tolerance_;
  std::vector<double> diagonal_, dual_, gradient_;
  std::uint64_t num_steps_ = 0;
  bool has_ended_ = false;
};

}  // namespace mash
