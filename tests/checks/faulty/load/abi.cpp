// SPDX-License-Identifier: Apache-2.0
#include "tests/extractors/plugins/raw.hpp"

// The interface of a later version.
RAW_PLUGIN("test-faulty", p.abi_version = 7)
