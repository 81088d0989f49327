// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/softmax_regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "classifiers/baselines/fit_columns.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/elementary.hpp"

namespace mash {
namespace {

constexpr std::size_t kRowsOfBlock = 1024;
constexpr double kFlatEnough = 0.1;  // a line search ends at that part of its first slope
constexpr int kMostEvaluations = 40;

// Fills in p_k of the functions at these scores. has_implicit: there is a class without one, of the score 0.
void probabilities_at(std::span<const double> scores, bool has_implicit, std::span<double> p) {
  double most = has_implicit ? 0 : -std::numeric_limits<double>::infinity();
  for (const double score : scores) most = std::max(most, score);
  double sum = has_implicit ? stable_exp(-most) : 0;
  for (std::size_t k = 0; k < scores.size(); ++k) sum += p[k] = stable_exp(scores[k] - most);
  for (double& x : p) x /= sum;
}

}  // namespace

SoftmaxRegression::SoftmaxRegression(const StandardRows& rows, std::span<const std::uint16_t> labels,
                                     std::size_t num_classes)
    : rows_(&rows),
      labels_(labels),
      num_classes_(num_classes),
      num_functions_(num_classes == 2 ? 1 : num_classes) {
  functions_.resize(num_functions_ * (rows.num_columns() + 1));
  scores_.resize(num_functions_ * rows.num_rows());
}

void SoftmaxRegression::begin(double cost, std::span<const double> weights, const IterationLimits& limits,
                              const Workers& workers) {
  cost_ = cost;
  weights_ = weights;
  total_weight_ = 0;
  for (const double weight : weights) total_weight_ += weight;
  limits_ = limits;
  num_iterations_ = 0;
  memory_.clear();
  find_gradient(workers);
}

void SoftmaxRegression::iterate(const Workers& workers) {
  std::vector<double> step = memory_.direction(gradient_);
  if (!(dot(gradient_, step) < 0)) {  // rounding has spoilt what was remembered
    memory_.clear();
    step = memory_.direction(gradient_);
  }
  const std::vector<double> along = scores_of(step, workers);
  const double length = step_along(step, along, workers);
  for (double& x : step) x *= length;
  for (std::size_t i = 0; i < step.size(); ++i) functions_[i] += step[i];
  for (std::size_t i = 0; i < along.size(); ++i) scores_[i] += length * along[i];
  const std::vector<double> before = gradient_;
  find_gradient(workers);
  std::vector<double> change = gradient_;
  for (std::size_t i = 0; i < change.size(); ++i) change[i] -= before[i];
  memory_.add(std::move(step), std::move(change));
  ++num_iterations_;
}

std::vector<std::uint16_t> SoftmaxRegression::classes(std::span<const std::uint32_t> examples,
                                                      const Workers&) const {
  std::vector<double> scores;
  for (const std::uint32_t n : examples) {
    if (num_functions_ < num_classes_) scores.push_back(0);
    const auto own = std::span(scores_).subspan(n * num_functions_, num_functions_);
    scores.insert(scores.end(), own.begin(), own.end());
  }
  return predicted_classes(scores, num_classes_);
}

std::string SoftmaxRegression::note() const { return fmt::format("slope {:.2g}", slope_); }

void SoftmaxRegression::write(std::span<const std::uint32_t> features, LinearFit& fit) const {
  const std::size_t num_columns = rows_->num_columns();
  // A number of the functions for class l: of two classes half of it, and its opposite.
  const auto of_class = [&](std::size_t l, const auto& number_of) {
    if (num_functions_ == num_classes_) return number_of(l);
    return l == 1 ? number_of(0) / 2 : -number_of(0) / 2;
  };
  for (std::size_t l = 0; l < num_classes_; ++l)
    fit.intercepts.push_back(
        of_class(l, [&](std::size_t k) { return functions_[num_functions_ * num_columns + k]; }));
  fit_columns(
      *rows_, features, num_classes_,
      [&](std::size_t i, std::size_t l) {
        return of_class(l,
                        [&](std::size_t k) { return functions_[k * num_columns + i] / rows_->scales()[i]; });
      },
      fit);
}

void SoftmaxRegression::keep(StateWriter& writer) const {
  writer.add_all(functions_);
  writer.add_all(scores_);
  writer.add_all(gradient_);
  memory_.keep(writer);
  writer.add(slope_, num_iterations_);
}

void SoftmaxRegression::take_back(StateReader& reader) {
  for (std::vector<double>* numbers : {&functions_, &scores_, &gradient_}) {
    const auto kept = reader.next_all(numbers->size());
    std::copy(kept.begin(), kept.end(), numbers->begin());
  }
  memory_.take_back(reader);
  slope_ = reader.next();
  num_iterations_ = reader.next<std::uint32_t>();
}

std::vector<double> SoftmaxRegression::scores_of(std::span<const double> functions,
                                                 const Workers& workers) const {
  const std::size_t num_factors = num_functions_ * rows_->num_columns();
  std::vector<double> scores = rows_->products(functions.first(num_factors), num_functions_, workers);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += functions[num_factors + i % num_functions_];
  return scores;
}

SoftmaxRegression::LossOnLine& SoftmaxRegression::LossOnLine::operator+=(const LossOnLine& other) {
  slope += other.slope;
  curvature += other.curvature;
  return *this;
}

SoftmaxRegression::LossOnLine SoftmaxRegression::loss_at(double step, std::span<const double> along,
                                                         const Workers& workers) const {
  const bool has_implicit = num_functions_ < num_classes_;
  return workers.sum_blocks(rows_->num_rows(), kRowsOfBlock, [&](std::size_t begin, std::size_t end) {
    LossOnLine sum;
    std::vector<double> scores(num_functions_), p(num_functions_);
    for (std::size_t n = begin; n < end; ++n) {
      if (weights_[n] == 0) continue;
      const double *now = &scores_[n * num_functions_], *change = &along[n * num_functions_];
      for (std::size_t k = 0; k < num_functions_; ++k) scores[k] = now[k] + step * change[k];
      const std::size_t own = own_function(n);
      probabilities_at(scores, has_implicit, p);
      double mean = 0, square = 0;
      for (std::size_t k = 0; k < num_functions_; ++k) {
        mean += p[k] * change[k];
        square += p[k] * change[k] * change[k];
      }
      const double weight = cost_ * weights_[n];
      sum.slope += weight * (mean - (own < num_functions_ ? change[own] : 0));
      sum.curvature += weight * (square - mean * mean);
    }
    return sum;
  });
}

double SoftmaxRegression::step_along(std::span<const double> direction, std::span<const double> along,
                                     const Workers& workers) const {
  const std::size_t num_factors = num_functions_ * rows_->num_columns();
  const auto factors = direction.first(num_factors);
  const double from = dot(std::span(functions_).first(num_factors), factors), square = dot(factors, factors);
  const double flat = kFlatEnough * std::abs(dot(gradient_, direction));
  // The function is convex, and falls at 0: it falls up to `low`, and rises from `high` on.
  double low = 0, high = std::numeric_limits<double>::infinity();
  double step = memory_.is_empty() ? 0 : 1;
  for (int evaluation = 0; evaluation < kMostEvaluations; ++evaluation) {
    const LossOnLine loss = loss_at(step, along, workers);
    const double slope = from + step * square + loss.slope;
    if (step > 0 && std::abs(slope) <= flat) return step;
    (slope < 0 ? low : high) = step;
    const double newton = step - slope / (square + loss.curvature);
    const bool is_inside = newton > low && newton < high;
    step = is_inside ? newton : std::isfinite(high) ? (low + high) / 2 : 2 * std::max(low, 1.0);
  }
  return low > 0 ? low : step;
}

void SoftmaxRegression::find_gradient(const Workers& workers) {
  std::vector<double> residuals(scores_.size());
  workers.for_ranges(rows_->num_rows(), kRowsOfBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      if (weights_[n] == 0) continue;
      const auto own = std::span(residuals).subspan(n * num_functions_, num_functions_);
      probabilities_at(std::span(scores_).subspan(n * num_functions_, num_functions_),
                       num_functions_ < num_classes_, own);
      if (own_function(n) < num_functions_) own[own_function(n)] -= 1;
      for (double& x : own) x *= cost_ * weights_[n];
    }
  });
  gradient_ = rows_->weighted_sums(residuals, num_functions_, workers);
  for (std::size_t i = 0; i < gradient_.size(); ++i) gradient_[i] += functions_[i];
  std::vector<double> sums(num_functions_);
  for (std::size_t i = 0; i < residuals.size(); ++i) sums[i % num_functions_] += residuals[i];
  gradient_.insert(gradient_.end(), sums.begin(), sums.end());
  slope_ = 0;
  for (const double slope : gradient_) slope_ = std::max(slope_, std::abs(slope) / (cost_ * total_weight_));
}

}  // namespace mash
