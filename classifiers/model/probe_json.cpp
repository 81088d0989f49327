// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/probe_json.hpp"

#include <cmath>
#include <limits>

#include "classifiers/model/json_reader.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

bool is_value(const Json& value) {
  return value.is_null() || (value.is_number() && std::isfinite(value.get<float>()));
}

bool are_values(const Json& list, std::size_t count) {
  return list.is_array() && list.size() == count && std::ranges::all_of(list, is_value);
}

std::vector<float> values_of(const Json& list) {
  std::vector<float> values;
  for (const Json& value : list)
    values.push_back(value.is_null() ? std::numeric_limits<float>::quiet_NaN() : value.get<float>());
  return values;
}

}  // namespace

Json json_of(const ModelProbe& probe) {
  Json families = Json::array();
  for (const auto& values : probe.values) {
    Json& of_family = families.emplace_back();
    if (!values) continue;
    of_family = Json::array();
    for (const float value : *values) of_family.push_back(std::isnan(value) ? Json() : Json(value));
  }
  return {{"seed", probe.seed}, {"families", std::move(families)}};
}

Result<std::optional<ModelProbe>> parse_probe(const Json& document,
                                              const std::vector<std::vector<std::uint32_t>>& needed) {
  const auto member = document.find("probe");
  if (member == document.end()) return std::optional<ModelProbe>();
  JsonReader reader(*member, "/probe");
  ModelProbe probe{reader.count("seed", std::numeric_limits<std::uint32_t>::max()), {}};
  const Json& families = reader.list("families");
  if (families.size() != needed.size())
    reader.fail("families", fmt::format("{}, one for each family", needed.size()));
  MASH_TRY(reader.status());
  for (std::size_t k = 0; k < needed.size(); ++k) {
    const std::size_t count = kNumProbePictures * needed[k].size();
    const bool is_known = !families[k].is_null();
    if (is_known && !are_values(families[k], count))
      return input_error("/probe/families/{}: expected {} numbers or nulls, {} for each feature that is used",
                         k, count, kNumProbePictures);
    probe.values.push_back(is_known ? std::optional(values_of(families[k])) : std::nullopt);
  }
  return std::optional(std::move(probe));
}

}  // namespace mash
