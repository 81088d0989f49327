// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "framework/render/table.hpp"

namespace mash {

// A sentence, without its full stop, on the rows of a ranking whose ranks are open for want of pictures:
// `limited_by` is "pictures" there, and `wanted_pictures` says how many would part a row from its easiest
// neighbour. Empty where there are none, or the table has no such columns.
std::string limit_note(const Table& table);

}  // namespace mash
