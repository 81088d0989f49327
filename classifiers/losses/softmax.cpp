// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/softmax.hpp"

#include <algorithm>

#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr std::size_t kExamplesPerTask = 1024;

// others: the sum of e^(F - mean) of all other classes. A difference from the sum of all would lose them
// where one class has nearly all.
double log_odds_of(double centred, double others) {
  return std::clamp(centred - stable_log(others), -kMostLogOdds, kMostLogOdds);
}

}  // namespace

SoftmaxOdds::SoftmaxOdds(const Sums& sums, const Workers& workers)
    : sums_(sums), workers_(workers), means_(sums.at(0).size()), exps_(sums), log_odds_(sums) {
  require(sums.size() >= 2, "SoftmaxOdds: at least two classes");
  refresh();
}

double SoftmaxOdds::exp_of(std::size_t label, std::size_t example) const {
  return stable_exp(sums_[label][example] - means_[example]);
}

void SoftmaxOdds::update(std::size_t label) {
  for (std::size_t n = 0; n < num_examples(); ++n) exps_[label][n] = exp_of(label, n);
}

void SoftmaxOdds::refresh() {
  const std::size_t num_classes = sums_.size();
  workers_.for_ranges(num_examples(), kExamplesPerTask, [&](std::size_t begin, std::size_t end) {
    std::vector<double> before(num_classes);
    for (std::size_t n = begin; n < end; ++n) {
      double sum = 0;
      for (const auto& sums : sums_) sum += sums[n];
      means_[n] = sum / double(num_classes);
      double added = 0;
      for (std::size_t l = 0; l < num_classes; ++l) {
        before[l] = added;
        added += exps_[l][n] = exp_of(l, n);
      }
      added = 0;
      for (std::size_t l = num_classes; l-- > 0; added += exps_[l][n])
        log_odds_[l][n] = log_odds_of(sums_[l][n] - means_[n], before[l] + added);
    }
  });
}

double SoftmaxOdds::cross_entropy(std::span<const std::uint16_t> labels,
                                  std::span<const double> counts) const {
  require(labels.size() == num_examples(), "SoftmaxOdds::cross_entropy: a label for each example");
  std::vector<double> losses(num_examples());
  workers_.for_ranges(num_examples(), kExamplesPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      double others = 0;
      for (std::size_t l = 0; l < exps_.size(); ++l)
        if (l != labels[n]) others += exps_[l][n];
      losses[n] = stable_log1p_exp(-log_odds_of(sums_[labels[n]][n] - means_[n], others));
    }
  });
  double sum = 0, count = 0;
  for (std::size_t n = 0; n < losses.size(); ++n) {
    const double own = counts.empty() ? 1 : counts[n];
    sum += own * losses[n];
    count += own;
  }
  return sum / count;
}

}  // namespace mash
