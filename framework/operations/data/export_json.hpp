// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "framework/operations/data/export_features.hpp"
#include "framework/render/data_table.hpp"

namespace mash {

// The documents of `mash export`, beside "output" and "format".
nlohmann::ordered_json to_json(const FeatureExport& features);
nlohmann::ordered_json to_json(std::span<const DataTable> tables);

}  // namespace mash
