// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/neighbours_json.hpp"

#include <limits>

#include "classifiers/model/input_json.hpp"
#include "classifiers/model/rows_json.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

void put_keys(const NeighboursModel& model, Json& document) {
  document["k"] = model.num_neighbours;
  document["p"] = model.power;
  document["largest_score"] = model.largest_score;
  put_inputs(model, document, [](std::size_t, Json&) {});
  document["examples"] = Json::array();
  for (std::size_t n = 0; n < model.classes.size(); ++n)
    document["examples"].push_back({{"class", model.classes[n]},
                                    {"weight", model.example_weights[n]},
                                    {"numbers", text_of_row(model.rows, n)}});
}

Result<NeighboursModel> parse_neighbours(const Json& document, ModelHead head) {
  NeighboursModel model;
  static_cast<ModelHead&>(model) = std::move(head);
  JsonReader reader(document, "");
  model.num_neighbours = reader.count("k", std::numeric_limits<std::uint32_t>::max());
  model.power = reader.number("p");
  if (reader.status().ok() && model.num_neighbours == 0) reader.fail("k", "a whole number that is 1 or more");
  if (reader.status().ok() && !(model.power >= 1 && model.power <= NeighboursModel::kLargestPower))
    reader.fail("p", fmt::format("a number from 1 to {}", NeighboursModel::kLargestPower));
  MASH_TRY(reader.status());
  MASH_TRY(parse_inputs(document, model, [](JsonReader&) {}));
  model.rows.num_columns = model.inputs.size();
  for (const Json& object : reader.list("examples")) {
    JsonReader example(object, fmt::format("/examples/{}", model.classes.size()));
    const std::uint32_t label = example.count("class", model.num_classes() - 1);
    const double weight = example.number("weight");
    if (example.status().ok() && !(weight > 0)) example.fail("weight", "a number above 0");
    read_row(example, model, model.rows);
    MASH_TRY(example.status());
    model.classes.push_back(std::uint16_t(label));
    model.example_weights.push_back(weight);
  }
  MASH_TRY(reader.status());
  if (model.classes.empty()) return input_error("/examples: found none, expected at least one");
  return model;
}

}  // namespace mash
