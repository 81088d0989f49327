// SPDX-License-Identifier: Apache-2.0
#include "classifiers/reservoir/greedy_removal.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "classifiers/reservoir/subtract_rows.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

// P s. responses: s; empty: all 1.
std::vector<double> product(const SymmetricMatrix& matrix, std::span<const double> responses) {
  const std::size_t size = matrix.size;
  const std::vector<double> ones(responses.empty() ? size : 0, 1.0);
  const auto s = responses.empty() ? std::span<const double>(ones) : responses;
  std::vector<double> result(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double* row = &matrix.values[i * size];
    double sum = row[i] * s[i];
    for (std::size_t j = i + 1; j < size; ++j) {
      sum += row[j] * s[j];
      result[j] += row[j] * s[i];
    }
    result[i] += sum;
  }
  return result;
}

// The state of a removal. P is not updated, of which half the elements would never be read: its diagonal is,
// and column j when j goes is that of the first P less what the columns of those that went before took from
// it (a Cholesky decomposition of P whose pivots are chosen on the way). Each column is computed from the
// first P, so that errors do not add up over removals; tests compare the outcome with explicit inverses.
class Removal {
 public:
  Removal(const SymmetricMatrix& inverse, const RemovalInput& examples, std::size_t num_removed)
      : inverse_(inverse),
        ties_(examples.ties),
        alive_(inverse.size),
        diagonal_(inverse.size),
        u_(product(inverse, examples.responses)),
        weights_(examples.weights.begin(), examples.weights.end()),
        columns_(std::make_unique_for_overwrite<double[]>(inverse.size * num_removed)) {
    std::iota(alive_.begin(), alive_.end(), 0u);
    for (std::size_t i = 0; i < inverse.size; ++i) diagonal_[i] = inverse.at(i, i);
  }

  void remove_one() {
    const std::size_t size = alive_.size(), gone = cheapest();
    const std::span column(&columns_[num_removed_ * inverse_.size], size);
    for (std::size_t i = 0; i < size; ++i) column[i] = inverse_.at(alive_[i], alive_[gone]);
    subtract_rows({columns_.get(), num_removed_, inverse_.size, &columns_[gone], inverse_.size},
                  column.data(), size);
    require(column[gone] > 0, "remove_greedily: a positive definite inverse");
    const double root = std::sqrt(column[gone]);
    for (double& element : column) element /= root;
    const double u = u_[gone] / root, weight = weights_[gone] / root;
    for (std::size_t i = 0; i < size; ++i) {
      diagonal_[i] -= column[i] * column[i];
      u_[i] -= column[i] * u;
      weights_[i] -= column[i] * weight;
    }
    ++num_removed_;
    take_out(gone);
  }

  Kept kept() const {
    std::vector<std::size_t> order(alive_.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [this](auto a, auto b) { return alive_[a] < alive_[b]; });
    Kept kept;
    for (const std::size_t i : order) {
      kept.places.push_back(alive_[i]);
      kept.weights.push_back(weights_[i]);
    }
    return kept;
  }

 private:
  double cost(std::size_t i) const { return weights_[i] * u_[i] / diagonal_[i]; }

  // The index in alive_ of the one to remove next.
  std::size_t cheapest() const {
    double least = cost(0);
    for (std::size_t i = 1; i < alive_.size(); ++i) least = std::min(least, cost(i));
    const double most = least + 1e-12 * std::abs(least);
    std::size_t best = alive_.size();
    for (std::size_t i = 0; i < alive_.size(); ++i)
      if (cost(i) <= most && (best == alive_.size() || comes_before(alive_[i], alive_[best]))) best = i;
    require(best < alive_.size(), "remove_greedily: weights and an inverse that are numbers");
    return best;
  }
  bool comes_before(std::uint32_t a, std::uint32_t b) const {
    return ties_[a] != ties_[b] ? ties_[a] < ties_[b] : a < b;
  }

  // The last takes the place of the one that goes.
  void take_out(std::size_t gone) {
    const std::size_t last = alive_.size() - 1;
    for (std::size_t k = 0; k < num_removed_; ++k)
      columns_[k * inverse_.size + gone] = columns_[k * inverse_.size + last];
    alive_[gone] = alive_[last];
    alive_.pop_back();
    for (std::vector<double>* numbers : {&diagonal_, &u_, &weights_}) {
      (*numbers)[gone] = (*numbers)[last];
      numbers->pop_back();
    }
  }

  const SymmetricMatrix& inverse_;  // of all examples
  std::span<const std::uint64_t> ties_;
  // Those that are still there, in any order: which each is, P_ii, u_i and w~_i.
  std::vector<std::uint32_t> alive_;
  std::vector<double> diagonal_, u_, weights_;
  // For each that went, its column of P then, divided by sqrt(P_jj): for those still there, in their order.
  std::unique_ptr<double[]> columns_;
  std::size_t num_removed_ = 0;
};

}  // namespace

std::optional<SymmetricMatrix> regularised_inverse(const SymmetricMatrix& covariance, double lambda) {
  for (;;) {
    SymmetricMatrix inverse = covariance;
    for (std::size_t i = 0; i < inverse.size; ++i) inverse.at(i, i) += lambda;
    if (invert(inverse)) return inverse;
    if (lambda >= 1) return std::nullopt;
    double next = 1e-3;
    while (next <= lambda) next *= 10;
    lambda = std::min(next, 1.0);
  }
}

Kept remove_greedily(const SymmetricMatrix& inverse, const RemovalInput& examples, std::size_t num_removed) {
  const std::size_t size = inverse.size;
  require(examples.weights.size() == size && examples.ties.size() == size, "remove_greedily: n of each");
  require(examples.responses.empty() || examples.responses.size() == size, "remove_greedily: n responses");
  require(num_removed <= size, "remove_greedily: no more than there are");
  Removal removal(inverse, examples, num_removed);
  for (std::size_t k = 0; k < num_removed; ++k) removal.remove_one();
  return removal.kept();
}

}  // namespace mash
