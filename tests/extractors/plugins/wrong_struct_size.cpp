// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

RAW_PLUGIN("wrong-struct-size", p.host_size += 8)
