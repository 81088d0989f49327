// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/linear_json.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>

#include "classifiers/model/json_reader.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSoftmax = "softmax";
constexpr std::size_t kMaxThresholds = 255;  // codes are bytes

Result<LinearInput> parse_input(const Json& object, std::size_t idx, LinearModel& model) {
  JsonReader reader(object, fmt::format("/inputs/{}", idx));
  LinearInput input;
  input.family_idx = reader.count("family", model.families.empty() ? 0 : model.families.size() - 1);
  MASH_TRY(reader.status());
  const std::uint32_t dim = model.families[input.family_idx].dim;
  input.feature_idx = reader.count("feature", dim == 0 ? 0 : dim - 1);
  if (object.contains("thresholds")) {
    for (const double threshold : reader.numbers("thresholds")) input.thresholds.push_back(float(threshold));
    const bool increase = std::adjacent_find(input.thresholds.begin(), input.thresholds.end(),
                                             std::greater_equal()) == input.thresholds.end();
    const bool are_finite = std::all_of(input.thresholds.begin(), input.thresholds.end(),
                                        [](float threshold) { return std::isfinite(threshold); });
    if (input.thresholds.empty() || input.thresholds.size() > kMaxThresholds || !increase || !are_finite)
      reader.fail("thresholds", fmt::format("1 to {} numbers that increase", kMaxThresholds));
  } else {
    input.missing = float(reader.number("missing"));
  }
  const auto coefficients = reader.finite_numbers("coefficients", model.num_classes());
  MASH_TRY(reader.status());
  model.coefficients.insert(model.coefficients.end(), coefficients.begin(), coefficients.end());
  return input;
}

// No score is larger in size: features are floats, and codes count thresholds.
double score_limit(const LinearModel& model) {
  double sum = 0;
  for (const double intercept : model.intercepts) sum += std::abs(intercept);
  for (std::size_t i = 0; i < model.coefficients.size(); ++i) {
    const LinearInput& input = model.inputs[i / model.num_classes()];
    const double number =
        input.is_code() ? double(input.thresholds.size()) : double(std::numeric_limits<float>::max());
    sum += std::abs(model.coefficients[i]) * number;
  }
  return sum;
}

bool is_before(const LinearInput& a, const LinearInput& b) {
  return std::tie(a.family_idx, a.feature_idx) < std::tie(b.family_idx, b.feature_idx);
}

}  // namespace

void put_keys(const LinearModel& model, Json& document) {
  document["intercepts"] = model.intercepts;
  document["largest_score"] = model.largest_score;
  if (model.has_softmax) document["probabilities"] = kSoftmax;
  document["inputs"] = Json::array();
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const LinearInput& input = model.inputs[i];
    Json json{{"family", input.family_idx}, {"feature", input.feature_idx}};
    if (input.is_code())
      json["thresholds"] = input.thresholds;
    else
      json["missing"] = input.missing;
    const auto begin = model.coefficients.begin() + std::ptrdiff_t(i * model.num_classes());
    json["coefficients"] = std::vector<double>(begin, begin + std::ptrdiff_t(model.num_classes()));
    document["inputs"].push_back(std::move(json));
  }
}

Result<LinearModel> parse_linear(const Json& document, ModelHead head) {
  LinearModel model{std::move(head), {}, {}, {}, 0};
  JsonReader reader(document, "");
  model.intercepts = reader.finite_numbers("intercepts", model.num_classes());
  model.largest_score = reader.number("largest_score");
  if (document.contains("probabilities")) {
    model.has_softmax = reader.text("probabilities") == kSoftmax;
    if (!model.has_softmax) reader.fail("probabilities", fmt::format("\"{}\"", kSoftmax));
  }
  if (model.largest_score < 0) reader.fail("largest_score", "a number that is 0 or more");
  if (model.largest_score > kLargestScore) reader.fail("largest_score", "a number that is at most 1e300");
  MASH_TRY(reader.status());
  for (const Json& input : reader.list("inputs")) {
    if (model.families.empty()) return input_error("/families: found none, expected at least one");
    MASH_ASSIGN(auto parsed, parse_input(input, model.inputs.size(), model));
    if (!model.inputs.empty() && !is_before(model.inputs.back(), parsed))
      return input_error(
          "/inputs/{}: found a feature that is not behind the one before, expected inputs by "
          "family, then by feature",
          model.inputs.size());
    model.inputs.push_back(std::move(parsed));
  }
  MASH_TRY(reader.status());
  if (const double largest = score_limit(model); !(largest <= kLargestScore))
    return input_error(
        "/inputs: found intercepts and coefficients with which scores reach {:g}, expected at most {:g}",
        largest, kLargestScore);
  return model;
}

}  // namespace mash
