// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace mash::python {

// Columns that are offered beside heuristics.
void add_offers(pybind11::module_& module);

}  // namespace mash::python
