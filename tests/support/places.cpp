// SPDX-License-Identifier: Apache-2.0
#include "tests/support/places.hpp"

namespace mash::testing {

std::string source_folder() { return MASH_SOURCE_DIR; }
std::string binary_folder() { return MASH_BINARY_DIR; }

}  // namespace mash::testing
