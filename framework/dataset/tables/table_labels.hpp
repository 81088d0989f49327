// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/dataset/tables/table_plan.hpp"

namespace mash {

// Labels as text to class names and indices, for tables and for libsvm. REQUIRES: no text is empty.
// Errors: more than 65535 classes, without a place.
struct EncodedLabels {
  std::vector<std::string> class_names;
  std::vector<std::uint16_t> labels;  // of all the texts, in their order
};
Result<EncodedLabels> encode_labels(std::span<const std::string_view> texts);

// Checks that labels may be classes: those that are numbers are whole. Errors (kInput), without a place.
Status check_whole_labels(std::span<const std::string_view> texts);

// Divides what encode_labels gives between the two sides: the first `num_train` labels and the rest.
void set_labels(EncodedLabels labels, std::size_t num_train, Dataset& dataset);

// Fills in the classes of a data set and the labels of its sides, the first of which is that of the first
// plan. A file without labels gives none. is_for_model: labels are only compared with what the model says, so
// any are taken. Errors: as encode_table.
Status encode_label_columns(const TableOptions& options, std::span<const TablePlan* const> plans,
                            const ColumnType& type, bool is_for_model, Dataset& dataset);

}  // namespace mash
