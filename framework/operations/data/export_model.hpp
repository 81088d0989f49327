// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "classifiers/model/model.hpp"
#include "framework/operations/data/files.hpp"
#include "framework/operations/prediction/loaded_model.hpp"

namespace mash {

// A model as tables: classes, families, hypotheses, cuts, votes, and costs where it carries them
// (docs/export.md).
std::vector<DataTable> model_tables(const Model& model);

// Writes the tables and returns them. Heuristics that are not found are not missed. Errors: those of
// load_model and write_tables.
Result<std::vector<DataTable>> export_model(const ModelSource& source, DataFormat format,
                                            const std::filesystem::path& output, const WorkContext& work);

}  // namespace mash
