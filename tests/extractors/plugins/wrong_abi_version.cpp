// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

RAW_PLUGIN("wrong-abi-version", p.abi_version = 7)
