// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

RAW_PLUGIN("duplicate", h.version = "2.0.0")
