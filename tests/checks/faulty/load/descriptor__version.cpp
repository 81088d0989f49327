// SPDX-License-Identifier: Apache-2.0
#include "tests/extractors/plugins/raw.hpp"

RAW_PLUGIN("test-faulty", h.version = "1.0")
