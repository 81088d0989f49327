// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace mash::testing {

// Something that must not work in a box.
struct Attempt {
  const char* name;
  // -1 and errno: it was refused.
  long (*run)();
};

std::span<const Attempt> attempts();

}  // namespace mash::testing
