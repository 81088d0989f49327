// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/gaussian_model.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "framework/base/elementary.hpp"

namespace mash {
namespace {

// The score of classes without an example.
void score_never_seen(const GaussianModel& model, std::span<double> scores) {
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t l = 0; l < scores.size(); ++l)
    if (model.priors[l] > 0) smallest = std::min(smallest, scores[l]);
  for (std::size_t l = 0; l < scores.size(); ++l)
    if (model.priors[l] == 0) scores[l] = smallest - GaussianModel::kNeverSeen;
}

}  // namespace

GaussianTerms terms_of(const GaussianModel& model) {
  const std::size_t num_classes = model.num_classes();
  GaussianTerms terms{std::vector<double>(num_classes), {}};
  for (std::size_t l = 0; l < num_classes; ++l)
    if (model.priors[l] > 0) terms.constants[l] = stable_log(model.priors[l]);
  for (std::size_t k = 0; k < model.variances.size(); ++k) {
    terms.constants[k % num_classes] -= stable_log(2 * std::numbers::pi * model.variances[k]) / 2;
    terms.factors.push_back(0.5 / model.variances[k]);
  }
  return terms;
}

double log_density(const GaussianModel& model, std::size_t i, std::size_t l, double number) {
  const std::size_t place = i * model.num_classes() + l;
  const double variance = model.variances[place], difference = number - model.means[place];
  return -(stable_log(2 * std::numbers::pi * variance) + difference * difference / variance) / 2;
}

NumberScores number_scores(const GaussianModel& model) {
  return [&model, terms = terms_of(model)](std::span<const float> numbers, std::span<double> scores) {
    const std::size_t num_inputs = model.inputs.size(), num_classes = model.num_classes();
    for (std::size_t n = 0; n < scores.size() / num_classes; ++n) {
      const auto of_example = scores.subspan(n * num_classes, num_classes);
      std::copy(terms.constants.begin(), terms.constants.end(), of_example.begin());
      const double *mean = model.means.data(), *factor = terms.factors.data();
      for (const float number : numbers.subspan(n * num_inputs, num_inputs))
        for (double& score : of_example) {
          const double difference = double(number) - *mean++;
          score -= *factor++ * difference * difference;
        }
      score_never_seen(model, of_example);
    }
  };
}

}  // namespace mash
