// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "classifiers/losses/line.hpp"
#include "framework/base/require.hpp"

namespace mash {

// A round whose coefficient the edge alone decides, by a formula.
struct ClosedStep {
  double alpha = 0;
  double right = 1, wrong = 1;  // what the weights are multiplied by where the hypothesis is right, or wrong
  double loss_factor = 1;       // what the loss is multiplied by
};

// A loss, which boosting brings down: a function of the margin m = y f(x) of an example and a class. It never
// rises with the margin, is 1 at m = 0 and nowhere negative; it may come to 0, and falls wherever it is above
// 0. Without state: any number of threads may use it at once.
class Loss {
 public:
  virtual ~Loss() = default;

  // Each fills in one number for every margin, finite for margins up to 1e300 in size; the two may be the
  // same memory. REQUIRES: as many numbers as margins.
  virtual void values(std::span<const double> margins, std::span<double> values) const = 0;
  // The weight of an example in the next round: the negative slope of the loss, up to a constant factor, >=
  // 0.
  virtual void weights(std::span<const double> margins, std::span<double> weights) const = 0;
  // The negative slope of the weight; where the weight has a kink, that of either side.
  virtual void curvatures(std::span<const double> margins, std::span<double> curvatures) const = 0;

  // Sums over pairs for the search of a coefficient: at alpha = 0, and at alpha. The latter fills in the new
  // weights, not scaled, with the signs of the initial ones. Here the sums are made of the three functions
  // above, without `third` and `fourth`. A loss may override both, to be faster and to give these two; its
  // weights may then differ from weights() by rounding. REQUIRES: as many weights as pairs.
  virtual LineStart start_of_line(const LinePairs& pairs) const;
  virtual LinePoint point_on_line(const LinePairs& pairs, double alpha, std::span<double> weights) const;

  // Whether closed_step may be called; the coefficient is found by a line search otherwise. The weights of
  // such a loss are multiplied by one factor where all margins are moved by one amount.
  virtual bool has_closed_step() const { return false; }
  // The step that brings the loss down most along a hypothesis with votes in {-1,+1} and this edge.
  // REQUIRES: has_closed_step(), 0 <= edge (1 or more by rounding is a perfect edge), num_examples > 0.
  virtual ClosedStep closed_step(double, std::size_t) const {
    require(false, "closed_step of a loss that has none");
    return {};
  }
};

// out[i] = function(margins[i]), for the values, the weights and the curvatures of a loss. REQUIRES: as many
// of both.
template <class Function>
void map_margins(std::span<const double> margins, std::span<double> out, const Function& function) {
  require(margins.size() == out.size(), "a loss: as many numbers as margins");
  std::transform(margins.begin(), margins.end(), out.begin(), function);
}

// A row of the table of losses (classifiers/builtin.cpp).
struct LossRow {
  std::string_view name;
  std::string_view summary;  // one line, with the citation
  const Loss& (*loss)();
};

}  // namespace mash
