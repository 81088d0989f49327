// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "classifiers/model/input_model.hpp"
#include "classifiers/model/json_reader.hpp"
#include "classifiers/model/rows/distances.hpp"

namespace mash {

// Whether the rows of a model with these inputs are codes: all of them are.
bool has_rows_of_codes(const InputModel& model);

// A row as base64: a byte for each code; else for each value the four of its bits, the lowest first.
std::string text_of_row(const NumberRows& rows, std::size_t n);

// Adds the row that stands at the key `numbers` of this object. Codes are at most the number of thresholds of
// their input, and values finite; else the reader gets an error.
void read_row(JsonReader& reader, const InputModel& model, NumberRows& rows);

}  // namespace mash
