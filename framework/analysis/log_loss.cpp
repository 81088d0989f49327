// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/log_loss.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr double kLargestScale = 1e4;  // where scores hardly differ
constexpr double kLeastLoss = 1e-9;    // so that ratios of losses are finite
constexpr int kMaxSteps = 50;

// The mean of an example's scores under its targets. sum: of all its scores.
double in_doubt(double own, double sum, std::size_t num_classes, double doubt) {
  return num_classes < 2 ? own : (1 - doubt) * own + doubt * (sum - own) / double(num_classes - 1);
}

// The cross entropy of one example against its targets, and its first two derivatives by the scale.
struct LossAt {
  double loss = 0, slope = 0, curvature = 0;
};

// doubt: the target of the other classes together. weights: room for a number of each class.
LossAt loss_at(double scale, std::span<const double> row, std::size_t label, double doubt,
               std::span<double> weights) {
  const double largest = *std::max_element(row.begin(), row.end());
  // By itself, so that it vectorises.
  for (std::size_t l = 0; l < row.size(); ++l) weights[l] = stable_exp(scale * (row[l] - largest));
  double sum = 0, mean = 0, squares = 0;  // of f - largest, weighted by exp(c (f - largest))
  double unweighted = 0;
  for (std::size_t l = 0; l < row.size(); ++l) {
    const double below = row[l] - largest;
    sum += weights[l];
    mean += weights[l] * below;
    squares += weights[l] * below * below;
    unweighted += below;
  }
  mean /= sum;
  const double own = in_doubt(row[label] - largest, unweighted, row.size(), doubt);
  return {stable_log(sum) - scale * own, mean - own, squares / sum - mean * mean};
}

// The doubt that leaves one of all examples on the other side.
double doubt_of(std::size_t num_examples) { return 1 / (double(num_examples) + 2); }

LossAt sum_at(double scale, std::span<const double> scores, std::span<const std::uint16_t> labels) {
  const std::size_t num_classes = scores.size() / labels.size();
  std::vector<double> weights(num_classes);
  LossAt sum;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    const LossAt one = loss_at(scale, scores.subspan(n * num_classes, num_classes), labels[n],
                               doubt_of(labels.size()), weights);
    sum.loss += one.loss;
    sum.slope += one.slope;
    sum.curvature += one.curvature;
  }
  return sum;
}

// The slope of the sum where the scale is 0: all classes are equally probable there.
double slope_at_zero(std::span<const double> scores, std::span<const std::uint16_t> labels) {
  const std::size_t num_classes = scores.size() / labels.size();
  double slope = 0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    const auto row = scores.subspan(n * num_classes, num_classes);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    slope += sum / double(num_classes) - in_doubt(row[labels[n]], sum, num_classes, doubt_of(labels.size()));
  }
  return slope;
}

void require_rows(std::size_t num_scores, std::size_t num_labels) {
  require(num_labels > 0 && num_scores % num_labels == 0, "log-loss: an example, and as many scores of each");
}

}  // namespace

// The slope rises with the scale: its root is kept between two borders, which Newton's steps and halves
// narrow. Near it the square of a step is what the next one would be.
double best_scale(std::span<const double> scores, std::span<const std::uint16_t> labels, double near) {
  require_rows(scores.size(), labels.size());
  if (slope_at_zero(scores, labels) >= 0) return 0;
  double low = 0, high = kLargestScale, scale = std::clamp(near, 1e-3, kLargestScale / 2);
  for (int step = 0; step < kMaxSteps && high - low > 1e-10 * high; ++step) {
    const LossAt at = sum_at(scale, scores, labels);
    (at.slope < 0 ? low : high) = scale;
    double next = at.curvature > 0 ? scale - at.slope / at.curvature : high;
    if (next <= low || next >= high) next = low == 0 ? high / 2 : std::sqrt(low * high);
    const bool is_near = std::abs(next - scale) <= 1e-7 * scale;
    scale = next;
    if (is_near) break;
  }
  return scale;
}

ScaledLogLoss scaled_log_loss(std::span<const double> scores, std::span<const std::uint16_t> labels) {
  require_rows(scores.size(), labels.size());
  const std::size_t num_classes = scores.size() / labels.size();
  ScaledLogLoss result;
  result.scale = best_scale(scores, labels);
  std::vector<double> weights(num_classes);
  for (std::size_t n = 0; n < labels.size(); ++n) {
    const auto row = scores.subspan(n * num_classes, num_classes);
    result.losses.push_back(std::max(kLeastLoss, loss_at(result.scale, row, labels[n], 0, weights).loss));
    result.mean += result.losses.back();
  }
  result.mean /= double(labels.size());
  return result;
}

double log_loss(std::span<const float> scores, std::size_t label) {
  const double largest = double(*std::max_element(scores.begin(), scores.end()));
  double sum = 0;
  for (const float score : scores) sum += stable_exp(double(score) - largest);
  return stable_log(sum) - (double(scores[label]) - largest);
}

std::vector<double> log_losses(std::span<const float> scores, std::span<const std::uint16_t> labels) {
  require_rows(scores.size(), labels.size());
  const std::size_t num_classes = scores.size() / labels.size();
  std::vector<double> losses;
  for (std::size_t n = 0; n < labels.size(); ++n)
    losses.push_back(std::max(kLeastLoss, log_loss(scores.subspan(n * num_classes, num_classes), labels[n])));
  return losses;
}

}  // namespace mash
