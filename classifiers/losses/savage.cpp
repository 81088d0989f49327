// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/savage.hpp"

#include "classifiers/losses/line_sums.hpp"
#include "framework/base/elementary.hpp"

namespace mash {
namespace {

// 1 / (1 + e^2m), and what it lacks to 1, neither of which overflows.
struct Probability {
  double wrong, right;
  explicit Probability(double margin) {
    const double odds = stable_exp(-2 * (margin < 0 ? -margin : margin));  // of the less likely side
    const double less = odds / (1 + odds), more = 1 / (1 + odds);
    wrong = margin < 0 ? more : less;
    right = margin < 0 ? less : more;
  }
};

class Savage final : public Loss {
 public:
  void values(std::span<const double> margins, std::span<double> values) const override {
    map_margins(margins, values, [](double m) {
      const Probability p(m);
      return 4 * p.wrong * p.wrong;
    });
  }
  void weights(std::span<const double> margins, std::span<double> weights) const override {
    map_margins(margins, weights, [](double m) {
      const Probability p(m);
      return 4 * p.wrong * p.wrong * p.right;
    });
  }
  // d/dm of p^2 (1 - p) with dp/dm = -2 p (1 - p).
  void curvatures(std::span<const double> margins, std::span<double> curvatures) const override {
    map_margins(margins, curvatures, [](double m) {
      const Probability p(m);
      return 8 * p.wrong * p.wrong * p.right * (2 * p.right - p.wrong);
    });
  }

  LineStart start_of_line(const LinePairs& pairs) const override {
    return mash::start_of_line(LineFormula::kSavage, pairs);
  }
  LinePoint point_on_line(const LinePairs& pairs, double alpha, std::span<double> weights) const override {
    return mash::point_on_line(LineFormula::kSavage, pairs, alpha, weights);
  }
};

}  // namespace

const Loss& savage_loss() {
  static const Savage loss;
  return loss;
}

}  // namespace mash
