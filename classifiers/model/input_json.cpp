// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/input_json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxThresholds = 255;  // codes are bytes

bool is_before(const ModelInput& a, const ModelInput& b) {
  return std::tie(a.family_idx, a.feature_idx) < std::tie(b.family_idx, b.feature_idx);
}

Result<ModelInput> parse_input(const Json& object, const InputModel& model,
                               const std::function<void(JsonReader& reader)>& parse_more) {
  JsonReader reader(object, fmt::format("/inputs/{}", model.inputs.size()));
  ModelInput input;
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
  parse_more(reader);
  MASH_TRY(reader.status());
  return input;
}

}  // namespace

double largest_number(const ModelInput& input) {
  return input.is_code() ? double(input.thresholds.size()) : double(std::numeric_limits<float>::max());
}

void put_inputs(const InputModel& model, Json& document,
                const std::function<void(std::size_t i, Json& json)>& put_more) {
  document["inputs"] = Json::array();
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const ModelInput& input = model.inputs[i];
    Json json{{"family", input.family_idx}, {"feature", input.feature_idx}};
    if (input.is_code())
      json["thresholds"] = input.thresholds;
    else
      json["missing"] = input.missing;
    put_more(i, json);
    document["inputs"].push_back(std::move(json));
  }
}

Status parse_inputs(const Json& document, InputModel& model,
                    const std::function<void(JsonReader& reader)>& parse_more) {
  JsonReader reader(document, "");
  model.largest_score = reader.number("largest_score");
  if (model.largest_score < 0) reader.fail("largest_score", "a number that is 0 or more");
  if (model.largest_score > kLargestScore) reader.fail("largest_score", "a number that is at most 1e300");
  MASH_TRY(reader.status());
  for (const Json& input : reader.list("inputs")) {
    if (model.families.empty()) return input_error("/families: found none, expected at least one");
    MASH_ASSIGN(auto parsed, parse_input(input, model, parse_more));
    if (!model.inputs.empty() && !is_before(model.inputs.back(), parsed))
      return input_error(
          "/inputs/{}: found a feature that is not behind the one before, expected inputs by "
          "family, then by feature",
          model.inputs.size());
    model.inputs.push_back(std::move(parsed));
  }
  return reader.status();
}

}  // namespace mash
