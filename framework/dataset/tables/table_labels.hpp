// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/dataset/tables/table_plan.hpp"

namespace mash {

// Labels as text to class names and indices, for tables and for libsvm. are_names: texts of numbers stay
// different where their numbers are equal. REQUIRES: no text is empty. Errors: more than 65535 classes,
// without a place.
struct EncodedLabels {
  std::vector<std::string> class_names;
  std::vector<std::uint16_t> labels;  // of all the texts, in their order
};
Result<EncodedLabels> encode_labels(std::span<const std::string_view> texts, bool are_names = false);
// The same for a model: a text is the class of this name, else the class whose name is the same number ("01"
// and "1"), else a class of its own.
Result<EncodedLabels> encode_labels_for(std::span<const std::string> class_names,
                                        std::span<const std::string_view> texts);

// Checks that labels may be classes: where most are numbers, these are whole. Errors (kInput), without a
// place.
Status check_whole_labels(std::span<const std::string_view> texts);

// Divides what encode_labels gives between the two sides: the first `num_train` labels and the rest.
void set_labels(EncodedLabels labels, std::size_t num_train, Dataset& dataset);

// Fills in the classes of a data set and the labels of its sides, the first of which is that of the first
// plan. A file without labels gives none. layout: of the model that the labels are compared with, which takes
// any; else null. Errors: as encode_table.
Status encode_label_columns(const TableOptions& options, std::span<const TablePlan* const> plans,
                            const ColumnType& type, const TableLayout* layout, Dataset& dataset);

}  // namespace mash
