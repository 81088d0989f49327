// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/tree_json.hpp"

#include <algorithm>
#include <cmath>

#include "classifiers/model/input_json.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostSteps = std::size_t(1) << 24;

// Each step is led to by one that stands before it, and by no other.
Status check_ways(const TreeModel& model) {
  std::vector<int> num_ways(model.steps.size());
  num_ways[0] = 1;
  for (const TreeStep& step : model.steps)
    if (!step.is_leaf()) {
      ++num_ways[step.below];
      ++num_ways[step.above];
    }
  const auto found = std::find_if(num_ways.begin(), num_ways.end(), [](int ways) { return ways != 1; });
  if (found == num_ways.end()) return Done{};
  return input_error("/steps/{}: found {} steps that lead to it, expected one", found - num_ways.begin(),
                     *found);
}

Result<TreeStep> parse_step(JsonReader& reader, const Json& object, std::size_t place, std::size_t num_steps,
                            const TreeModel& model) {
  TreeStep step;
  if (!object.contains("below")) return step;
  step.input = reader.count("input", model.inputs.empty() ? 0 : model.inputs.size() - 1);
  step.threshold = float(reader.number("threshold"));
  step.below = reader.count("below", num_steps - 1);
  step.above = reader.count("above", num_steps - 1);
  if (reader.status().ok() && model.inputs.empty()) reader.fail("input", "no question without inputs");
  if (reader.status().ok() && !std::isfinite(step.threshold)) reader.fail("threshold", "a finite number");
  if (reader.status().ok() && (step.below <= place || step.above <= place))
    reader.fail("", "steps that stand behind it, below and above");
  MASH_TRY(reader.status());
  return step;
}

}  // namespace

void put_keys(const TreeModel& model, Json& document) {
  document["largest_score"] = model.largest_score;
  put_inputs(model, document, [](std::size_t, Json&) {});
  document["steps"] = Json::array();
  const std::size_t num_classes = model.num_classes();
  for (std::size_t s = 0; s < model.steps.size(); ++s) {
    const TreeStep& step = model.steps[s];
    Json json = Json::object();
    if (!step.is_leaf())
      json = {
          {"input", step.input}, {"threshold", step.threshold}, {"below", step.below}, {"above", step.above}};
    const auto first = model.shares.begin() + std::ptrdiff_t(s * num_classes);
    json["shares"] = std::vector<double>(first, first + std::ptrdiff_t(num_classes));
    document["steps"].push_back(std::move(json));
  }
}

Result<TreeModel> parse_tree(const Json& document, ModelHead head) {
  TreeModel model;
  static_cast<ModelHead&>(model) = std::move(head);
  MASH_TRY(parse_inputs(document, model, [](JsonReader&) {}));
  JsonReader reader(document, "");
  const Json& steps = reader.list("steps");
  MASH_TRY(reader.status());
  if (steps.empty() || steps.size() > kMostSteps)
    return input_error("/steps: found {}, expected 1 to {}", steps.size(), kMostSteps);
  const auto is_share = [](double share) { return share >= 0 && share <= 1; };
  for (const Json& object : steps) {
    JsonReader of_step(object, fmt::format("/steps/{}", model.steps.size()));
    const auto shares = of_step.finite_numbers("shares", model.num_classes());
    if (of_step.status().ok() && !std::all_of(shares.begin(), shares.end(), is_share))
      of_step.fail("shares", "numbers from 0 to 1");
    MASH_TRY(of_step.status());
    MASH_ASSIGN(const TreeStep step, parse_step(of_step, object, model.steps.size(), steps.size(), model));
    model.steps.push_back(step);
    model.shares.insert(model.shares.end(), shares.begin(), shares.end());
  }
  MASH_TRY(check_ways(model));
  return model;
}

}  // namespace mash
