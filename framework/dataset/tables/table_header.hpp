// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <unordered_set>

#include "framework/dataset/tables/table.hpp"

// The first row of a table of text: the names of its columns, or an example.
namespace mash {

std::unordered_set<std::string_view> first_row(const TextTable& table);

// Whether the first row is a header; nothing where it may be one and may be none. Text above numbers is a
// header, numbers above numbers are an example, unless they rise as years do and the label is none of those
// below. Where there are no numbers, a header's label is none of those below.
std::optional<bool> guess_header(const TextTable& table, const TableOptions& options);

// Whether the first row names the columns of a model. A model of columns without names can be meant by a row
// of examples, or by one that has all the names of places.
bool has_header_for(const TableLayout& layout, const TextTable& table);

// The number of first columns that have no name in a header, or the one that programs give them then.
std::size_t num_without_name(const TextTable& table);

}  // namespace mash
