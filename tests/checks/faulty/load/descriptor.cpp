// SPDX-License-Identifier: Apache-2.0
#include "tests/extractors/plugins/raw.hpp"

// The default is outside of the range.
constexpr mash_parameter_t kParameters[] = {
    {"cell", "side of a cell, pixels", MASH_PARAMETER_INTEGER, 0, 99, 1, 64, nullptr}};

RAW_PLUGIN("test-faulty", h.parameters = kParameters; h.num_parameters = 1)
