// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

RAW_PLUGIN("null-function", h.compute = nullptr)
