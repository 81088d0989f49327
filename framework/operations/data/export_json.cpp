// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/export_json.hpp"

#include <nlohmann/json.hpp>

namespace mash {

using Json = nlohmann::ordered_json;

Json to_json(const FeatureExport& features) {
  Json json{{"train", features.num_train}, {"test", features.num_test}, {"families", Json::array()}};
  for (const ExportedFamily& family : features.families)
    json["families"].push_back({{"name", family.name},
                                {"version", family.version},
                                {"settings", family.settings},
                                {"dim", family.dim}});
  return json;
}

Json to_json(std::span<const DataTable> tables) {
  Json json{{"tables", Json::array()}};
  for (const DataTable& table : tables) {
    Json columns = Json::array();
    for (const DataColumn& column : table.columns) columns.push_back(column.name);
    json["tables"].push_back({{"name", table.name}, {"rows", table.num_rows()}, {"columns", columns}});
  }
  return json;
}

}  // namespace mash
