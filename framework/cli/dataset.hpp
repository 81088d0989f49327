// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "framework/base/result.hpp"
#include "framework/cli/options.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// Subcommands of mash dataset that have a file of their own.
Subcommand add_dataset_get(CLI::App& parent);
Subcommand add_dataset_import(CLI::App& parent);

// The data sets that were imported, for mash dataset list.
Result<nlohmann::ordered_json> imported_json();
Status print_imported();

// The number of examples of a side; "endless (2048 in memory)".
std::string amount_of(const Split& side);

}  // namespace mash
