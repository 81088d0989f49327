// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/conjugate_ridge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "classifiers/baselines/fit_columns.hpp"
#include "classifiers/baselines/limited_memory.hpp"
#include "classifiers/model/strong_classifier.hpp"

namespace mash {

ConjugateRidge::ConjugateRidge(const StandardRows& rows, std::span<const std::uint16_t> labels,
                               std::size_t num_classes)
    : rows_(&rows),
      labels_(labels),
      num_classes_(num_classes),
      num_functions_(num_classes == 2 ? 1 : num_classes) {
  functions_.resize(num_functions_ * rows.num_columns());
}

void ConjugateRidge::begin(double lambda, std::span<const double> weights, const IterationLimits& limits,
                           const Workers& workers) {
  lambda_ = lambda;
  weights_ = weights;
  limits_ = limits;
  num_iterations_ = 0;
  const std::size_t first_class = num_classes_ - num_functions_;
  total_weight_ = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> left;  // of the targets
  for (const std::uint16_t label : labels_)
    for (std::size_t f = 0; f < num_functions_; ++f) left.push_back(label == first_class + f ? 1 : -1);
  target_means_ = weighted_means(left);
  std::vector<double> targets = left;
  centre_and_weigh(targets);
  residuals_ = rows_->weighted_sums(targets, num_functions_, workers);
  first_squares_.resize(num_functions_);
  for (std::size_t f = 0; f < num_functions_; ++f)
    first_squares_[f] = dot(of(residuals_, f), of(residuals_, f));
  if (std::any_of(functions_.begin(), functions_.end(), [](double x) { return x != 0; })) {
    const std::vector<double> fitted = rows_->products(functions_, num_functions_, workers);
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= fitted[i];
    centre_and_weigh(left);
    residuals_ = rows_->weighted_sums(left, num_functions_, workers);
    for (std::size_t i = 0; i < residuals_.size(); ++i) residuals_[i] -= lambda_ * functions_[i];
  }
  directions_ = residuals_;
  squares_.resize(num_functions_);
  for (std::size_t f = 0; f < num_functions_; ++f) squares_[f] = dot(of(residuals_, f), of(residuals_, f));
}

void ConjugateRidge::iterate(const Workers& workers) {
  std::vector<double> products = rows_->products(directions_, num_functions_, workers);
  centre_and_weigh(products);
  std::vector<double> images = rows_->weighted_sums(products, num_functions_, workers);
  for (std::size_t i = 0; i < images.size(); ++i) images[i] += lambda_ * directions_[i];
  for (std::size_t f = 0; f < num_functions_; ++f) {
    if (has_converged(f)) continue;
    const auto function = of(functions_, f), residual = of(residuals_, f), direction = of(directions_, f),
               image = of(images, f);
    const double step = squares_[f] / dot(direction, image);
    for (std::size_t i = 0; i < function.size(); ++i) {
      function[i] += step * direction[i];
      residual[i] -= step * image[i];
    }
    const double before = squares_[f];
    squares_[f] = dot(residual, residual);
    for (std::size_t i = 0; i < direction.size(); ++i)
      direction[i] = residual[i] + squares_[f] / before * direction[i];
  }
  ++num_iterations_;
}

bool ConjugateRidge::has_converged() const {
  for (std::size_t f = 0; f < num_functions_; ++f)
    if (!has_converged(f)) return false;
  return true;
}

double ConjugateRidge::slope() const {
  double largest = 0;
  for (std::size_t f = 0; f < num_functions_; ++f)
    if (first_squares_[f] > 0) largest = std::max(largest, squares_[f] / first_squares_[f]);
  return std::sqrt(largest);
}

std::vector<std::uint16_t> ConjugateRidge::classes(std::span<const std::uint32_t> examples,
                                                   const Workers& workers) const {
  const std::vector<double> products = rows_->products(functions_, num_functions_, workers);
  const std::vector<double> means = weighted_means(products);
  std::vector<double> scores;
  for (const std::uint32_t n : examples) {
    if (num_functions_ < num_classes_) scores.push_back(0);
    for (std::size_t f = 0; f < num_functions_; ++f)
      scores.push_back(target_means_[f] + products[n * num_functions_ + f] - means[f]);
  }
  return predicted_classes(scores, num_classes_);
}

std::string ConjugateRidge::note() const { return fmt::format("slope {:.2g}", slope()); }

void ConjugateRidge::write(std::span<const std::uint32_t> features, const Workers& workers,
                           LinearFit& fit) const {
  const std::vector<double> means = weighted_means(rows_->products(functions_, num_functions_, workers));
  // A number of the functions for class l: of two classes the first one has the opposite.
  const auto of_class = [&](std::size_t l, const auto& number_of) {
    return num_functions_ == num_classes_ ? number_of(l) : l == 1 ? number_of(0) : -number_of(0);
  };
  for (std::size_t l = 0; l < num_classes_; ++l)
    fit.intercepts.push_back(of_class(l, [&](std::size_t f) { return target_means_[f] - means[f]; }));
  fit_columns(
      *rows_, features, num_classes_,
      [&](std::size_t i, std::size_t l) {
        return of_class(l, [&](std::size_t f) { return functions_[f * rows_->num_columns() + i]; }) /
               rows_->scales()[i];
      },
      fit);
}

void ConjugateRidge::keep(StateWriter& writer) const {
  for (const auto* numbers : {&functions_, &residuals_, &directions_, &squares_}) writer.add_all(*numbers);
  writer.add(num_iterations_);
}

void ConjugateRidge::take_back(StateReader& reader) {
  for (auto* numbers : {&functions_, &residuals_, &directions_, &squares_}) {
    const auto kept = reader.next_all(numbers->size());
    std::copy(kept.begin(), kept.end(), numbers->begin());
  }
  num_iterations_ = reader.next<std::uint32_t>();
}

bool ConjugateRidge::has_converged(std::size_t f) const {
  return squares_[f] <= limits_.tolerance * limits_.tolerance * first_squares_[f];
}

std::vector<double> ConjugateRidge::weighted_means(std::span<const double> numbers) const {
  std::vector<double> means(num_functions_);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    means[i % num_functions_] += weights_[i / num_functions_] * numbers[i];
  for (double& mean : means) mean /= total_weight_;
  return means;
}

void ConjugateRidge::centre_and_weigh(std::span<double> numbers) const {
  const std::vector<double> means = weighted_means(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = weights_[i / num_functions_] * (numbers[i] - means[i % num_functions_]);
}

std::span<double> ConjugateRidge::of(std::vector<double>& vectors, std::size_t f) const {
  return std::span(vectors).subspan(f * rows_->num_columns(), rows_->num_columns());
}

}  // namespace mash
