// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/gaussian_json.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "classifiers/model/input_json.hpp"
#include "framework/base/elementary.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

// No score is larger in size.
double density_limit(const GaussianModel& model) {
  double sum = GaussianModel::kNeverSeen;
  for (const double prior : model.priors)
    if (prior > 0) sum += std::abs(stable_log(prior));
  for (std::size_t k = 0; k < model.means.size(); ++k) {
    const double distance = largest_number(model.inputs[k / model.num_classes()]) + std::abs(model.means[k]);
    sum += std::abs(stable_log(2 * std::numbers::pi * model.variances[k])) +
           distance * distance / model.variances[k];
  }
  return sum;
}

std::vector<double> of_input(const std::vector<double>& numbers, std::size_t i, std::size_t num_classes) {
  const auto begin = numbers.begin() + std::ptrdiff_t(i * num_classes);
  return {begin, begin + std::ptrdiff_t(num_classes)};
}

}  // namespace

void put_keys(const GaussianModel& model, Json& document) {
  document["priors"] = model.priors;
  document["largest_score"] = model.largest_score;
  put_inputs(model, document, [&](std::size_t i, Json& json) {
    json["means"] = of_input(model.means, i, model.num_classes());
    json["variances"] = of_input(model.variances, i, model.num_classes());
  });
}

Result<GaussianModel> parse_gaussian(const Json& document, ModelHead head) {
  GaussianModel model;
  static_cast<ModelHead&>(model) = std::move(head);
  JsonReader reader(document, "");
  model.priors = reader.finite_numbers("priors", model.num_classes());
  MASH_TRY(reader.status());
  const auto is_share = [](double prior) { return prior >= 0 && prior <= 1; };
  if (!std::all_of(model.priors.begin(), model.priors.end(), is_share) ||
      std::all_of(model.priors.begin(), model.priors.end(), [](double prior) { return prior == 0; }))
    reader.fail("priors", "numbers from 0 to 1, not all 0");
  MASH_TRY(reader.status());
  MASH_TRY(parse_inputs(document, model, [&](JsonReader& input) {
    const auto means = input.finite_numbers("means", model.num_classes());
    const auto variances = input.finite_numbers("variances", model.num_classes());
    if (!std::all_of(variances.begin(), variances.end(), [](double variance) { return variance > 0; }))
      input.fail("variances", "numbers above 0");
    model.means.insert(model.means.end(), means.begin(), means.end());
    model.variances.insert(model.variances.end(), variances.begin(), variances.end());
  }));
  if (const double largest = density_limit(model); !(largest <= kLargestScore))
    return input_error(
        "/inputs: found means and variances with which scores reach {:g}, expected at most {:g}", largest,
        kLargestScore);
  return model;
}

}  // namespace mash
