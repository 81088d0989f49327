// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/margin_line.hpp"

#include <numeric>

#include "classifiers/losses/line_search.hpp"

namespace mash {

std::vector<double> MarginLine::after(double alpha) const {
  std::vector<double> moved = margins;
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += alpha * agreements[i];
  return moved;
}

double mean_loss(const Loss& loss, const MarginLine& line, double alpha) {
  std::vector<double> values = line.after(alpha);
  loss.values(values, values);
  return std::inner_product(values.begin(), values.end(), line.counts.begin(), 0.0) /
         std::accumulate(line.counts.begin(), line.counts.end(), 0.0);
}

double best_step(const Loss& loss, const MarginLine& line) {
  const auto slope = [&](double alpha) {
    const std::vector<double> margins = line.after(alpha);
    std::vector<double> weights(margins.size()), curvatures(margins.size());
    loss.weights(margins, weights);
    loss.curvatures(margins, curvatures);
    Slope sum;
    for (std::size_t i = 0; i < margins.size(); ++i) {
      sum.first -= line.counts[i] * weights[i] * line.agreements[i];
      sum.second += line.counts[i] * curvatures[i] * line.agreements[i] * line.agreements[i];
    }
    return sum;
  };
  return line_search(slope, 1e-10 * double(line.margins.size()));
}

}  // namespace mash
