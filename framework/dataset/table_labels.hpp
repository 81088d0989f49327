// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "framework/dataset/table_plan.hpp"

namespace mash {

// Fills in the classes of a data set and the labels of its sides, the first of which is that of the first
// plan. A file without labels gives none. is_for_model: labels are only compared with what the model says, so
// any are taken. Errors: as encode_table.
Status encode_label_columns(const TableOptions& options, std::span<const TablePlan* const> plans,
                            const ColumnType& type, bool is_for_model, Dataset& dataset);

}  // namespace mash
