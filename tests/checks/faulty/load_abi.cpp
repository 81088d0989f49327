// SPDX-License-Identifier: Apache-2.0
#include "tests/extractors/plugins/raw.hpp"

// Of a later interface.
RAW_PLUGIN("test-faulty", p.abi_version = 7)
