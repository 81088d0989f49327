// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mash::testing {

// Where this checkout lies, and where it is built. One source alone knows, so that all others are compiled to
// the same in every checkout, and a compiler's cache has them.
std::string source_folder();
std::string binary_folder();

}  // namespace mash::testing
