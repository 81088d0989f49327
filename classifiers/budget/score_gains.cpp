// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/score_gains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/base/require.hpp"

namespace mash {

ScoreGains::ScoreGains(const StrongClassifier& model) : num_classes_(model.num_classes()) {
  require(num_classes_ >= 2, "ScoreGains: at least two classes");
  const std::size_t K = num_classes_;
  double sum_of_reaches = 0;
  for (const Hypothesis& hypothesis : model.hypotheses) {
    std::vector<double> gains = cell_votes(hypothesis);
    double reach = 0;
    for (double& gain : gains) {
      gain *= hypothesis.alpha;
      reach = std::max(reach, std::abs(gain));
    }
    reaches_.push_back(reach);
    sum_of_reaches += reach;
    // No example falls into the other cell of a constant learner.
    const std::size_t first_cell = hypothesis.is_constant() ? 1 : 0;
    for (std::size_t a = 0; a < K; ++a)
      for (std::size_t b = 0; b < K; ++b) {
        double most = -std::numeric_limits<double>::infinity();
        for (std::size_t cell = first_cell; cell < gains.size() / K; ++cell)
          most = std::max(most, gains[cell * K + b] - gains[cell * K + a]);
        catch_up_.push_back(most);
      }
    begins_.push_back(gains_.size());
    gains_.insert(gains_.end(), gains.begin(), gains.end());
  }
  begins_.push_back(gains_.size());
  // A sum of T numbers is wrong by less than T epsilon times the sum of their sizes; there are two scores,
  // each added up in two orders, and what remains.
  rounding_ = 8 * double(num_hypotheses()) * std::numeric_limits<double>::epsilon() * sum_of_reaches;
}

void ScoreGains::add(std::size_t hypothesis, std::size_t cell, std::span<double> scores) const {
  const std::span<const double> gains = of(hypothesis, cell);
  for (std::size_t l = 0; l < num_classes_; ++l) scores[l] += gains[l];
}

void ScoreGains::add(std::span<const std::uint32_t> hypotheses, std::span<const std::uint8_t> cells,
                     std::span<double> scores) const {
  const std::size_t K = num_classes_;
  double* __restrict const sums = scores.data();  // no gain is one of them
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const double* const gains = of(hypotheses[i], cells[i]).data();
    for (std::size_t l = 0; l < K; ++l) sums[l] += gains[l];
  }
}

std::span<const double> ScoreGains::catch_up(std::size_t hypothesis) const {
  const std::size_t size = num_classes_ * num_classes_;
  return std::span(catch_up_).subspan(hypothesis * size, size);
}

std::optional<std::size_t> ScoreGains::certain_class(std::span<const double> scores,
                                                     std::span<const double> remaining) const {
  const std::size_t leader = predicted_class(scores);
  for (std::size_t l = 0; l < num_classes_; ++l)
    if (l != leader && !(scores[leader] - scores[l] > remaining[leader * num_classes_ + l] + rounding_))
      return std::nullopt;
  return leader;
}

}  // namespace mash
