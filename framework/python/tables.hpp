// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "framework/render/data_table.hpp"

namespace mash::python {

// {table: {column: array of numbers, or list of texts with None where one is missing}}
pybind11::dict dict_of(const std::vector<DataTable>& tables);

// Data sets and records, as arrays.
void add_tables(pybind11::module_& module);

}  // namespace mash::python
