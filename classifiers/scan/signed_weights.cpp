// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/signed_weights.hpp"

#include <array>
#include <cmath>

#include "classifiers/scan/kernels/row_factors.hpp"
#include "framework/base/require.hpp"

namespace mash {

SignedWeights::SignedWeights(std::span<const std::uint16_t> labels, std::size_t num_classes)
    : labels_(labels),
      num_classes_(num_classes),
      signed_(labels.size() * num_classes),
      example_weights_(labels.size()) {
  for (const std::uint16_t label : labels)
    require(label < num_classes, "SignedWeights: labels[n] < num_classes");
}

// Four sums side by side, so that none waits for the one before.
double SignedWeights::sum_of(std::span<const double> values) {
  std::array<double, 4> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= values.size(); i += sums.size())
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += values[i + k];
  for (; i < values.size(); ++i) sums[0] += values[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void SignedWeights::scale(const Workers& workers, double factor) {
  // As the booster does in a round, so that the sums of a training that is taken up again have the same bits.
  const std::vector<double> table(num_classes_, factor);
  const std::vector<std::uint8_t> cells(kBlock);
  const std::vector<std::uint16_t> labels(kBlock);
  update(workers, [&](std::size_t begin, std::size_t end, std::span<double> sums) {
    multiply_rows({table, std::span(cells).first(end - begin), labels, num_classes_}, row(begin).data(),
                  sums.data());
  });
}

double SignedWeights::normalise(const Workers& workers) {
  const double total = workers.sum_blocks(num_examples(), kBlock, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin * num_classes_; i < end * num_classes_; ++i) sum += std::abs(signed_[i]);
    return sum;
  });
  require(total > 0, "SignedWeights::normalise: weights that are not all 0");
  scale(workers, 1 / total);
  return total;
}

void initialise(InitialWeights policy, const Workers& workers, SignedWeights& weights) {
  const auto labels = weights.labels();
  const auto num_examples = double(labels.size());
  const std::size_t num_classes = weights.num_classes();
  const auto num_others = double(num_classes - 1);
  std::vector<double> class_sizes(num_classes);
  for (const std::uint16_t label : labels) ++class_sizes[label];
  for (std::size_t n = 0; n < labels.size(); ++n) {
    const auto row = weights.row(n);
    for (std::size_t l = 0; l < num_classes; ++l) {
      const bool own = l == labels[n];
      double weight = 1;
      if (policy == InitialWeights::kBalanced && num_classes > 1) weight = own ? 1 : 1 / num_others;
      if (policy == InitialWeights::kClassBalanced)
        weight = 1 / (own ? class_sizes[l] : num_examples - class_sizes[l]);
      row[l] = own ? weight : -weight;
    }
  }
  weights.normalise(workers);
}

}  // namespace mash
