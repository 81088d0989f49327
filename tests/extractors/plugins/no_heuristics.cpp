// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

RAW_PLUGIN("no-heuristics", p.num_heuristics = 0)
