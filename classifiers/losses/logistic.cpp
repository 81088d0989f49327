// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/logistic.hpp"

#include <numbers>

#include "classifiers/losses/line_sums.hpp"
#include "framework/base/elementary.hpp"

namespace mash {
namespace {

// 1 / (1 + e^m), the probability of the other class.
double probability(double margin) { return 1 / (1 + stable_exp(margin)); }

class Logistic final : public Loss {
 public:
  void values(std::span<const double> margins, std::span<double> values) const override {
    map_margins(margins, values, [](double m) { return stable_log1p_exp(-m) * std::numbers::log2e; });
  }
  void weights(std::span<const double> margins, std::span<double> weights) const override {
    map_margins(margins, weights, probability);
  }
  void curvatures(std::span<const double> margins, std::span<double> curvatures) const override {
    map_margins(margins, curvatures, [](double m) {
      const double p = probability(m);
      return p * (1 - p);
    });
  }

  LineStart start_of_line(const LinePairs& pairs) const override {
    return mash::start_of_line(LineFormula::kLogistic, pairs);
  }
  LinePoint point_on_line(const LinePairs& pairs, double alpha, std::span<double> weights) const override {
    return mash::point_on_line(LineFormula::kLogistic, pairs, alpha, weights);
  }
};

}  // namespace

const Loss& logistic_loss() {
  static const Logistic loss;
  return loss;
}

}  // namespace mash
