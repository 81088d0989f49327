// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "classifiers/model/model.hpp"
#include "framework/operations/data/files.hpp"

namespace mash {

// A model as tables: classes, families, hypotheses, cuts, votes, and costs where it carries them
// (docs/export.md).
std::vector<DataTable> model_tables(const Model& model);

// Writes the tables and returns them. Errors: those of read_model and write_tables.
Result<std::vector<DataTable>> export_model(const std::filesystem::path& model, DataFormat format,
                                            const std::filesystem::path& output);

}  // namespace mash
