// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mash {

// Places of families, increasing.
using FamilySubset = std::vector<std::size_t>;

// All of num_families families except these, whose order does not matter.
FamilySubset all_but(std::span<const std::size_t> families, std::size_t num_families);

}  // namespace mash
