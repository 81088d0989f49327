// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/linear_json.hpp"

#include <cmath>

#include "classifiers/model/input_json.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSoftmax = "softmax";

// No score is larger in size.
double score_limit(const LinearModel& model) {
  double sum = 0;
  for (const double intercept : model.intercepts) sum += std::abs(intercept);
  for (std::size_t i = 0; i < model.coefficients.size(); ++i)
    sum += std::abs(model.coefficients[i]) * largest_number(model.inputs[i / model.num_classes()]);
  return sum;
}

}  // namespace

void put_keys(const LinearModel& model, Json& document) {
  document["intercepts"] = model.intercepts;
  document["largest_score"] = model.largest_score;
  if (model.has_softmax) document["probabilities"] = kSoftmax;
  put_inputs(model, document, [&](std::size_t i, Json& json) {
    const auto begin = model.coefficients.begin() + std::ptrdiff_t(i * model.num_classes());
    json["coefficients"] = std::vector<double>(begin, begin + std::ptrdiff_t(model.num_classes()));
  });
}

Result<LinearModel> parse_linear(const Json& document, ModelHead head) {
  LinearModel model;
  static_cast<ModelHead&>(model) = std::move(head);
  JsonReader reader(document, "");
  model.intercepts = reader.finite_numbers("intercepts", model.num_classes());
  if (document.contains("probabilities")) {
    model.has_softmax = reader.text("probabilities") == kSoftmax;
    if (!model.has_softmax) reader.fail("probabilities", fmt::format("\"{}\"", kSoftmax));
  }
  MASH_TRY(reader.status());
  MASH_TRY(parse_inputs(document, model, [&](JsonReader& input) {
    const auto coefficients = input.finite_numbers("coefficients", model.num_classes());
    model.coefficients.insert(model.coefficients.end(), coefficients.begin(), coefficients.end());
  }));
  if (const double largest = score_limit(model); !(largest <= kLargestScore))
    return input_error(
        "/inputs: found intercepts and coefficients with which scores reach {:g}, expected at most {:g}",
        largest, kLargestScore);
  return model;
}

}  // namespace mash
