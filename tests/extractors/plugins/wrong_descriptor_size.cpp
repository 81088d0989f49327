// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

RAW_PLUGIN("wrong-descriptor-size", h.struct_size -= 8)
