// SPDX-License-Identifier: Apache-2.0
#include "tests/extractors/plugins/raw.hpp"

// Its image has one member less.
RAW_PLUGIN("test-faulty", p.image_size -= 8)
