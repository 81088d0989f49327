// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "framework/render/page.hpp"

namespace mash {

// A table of classes by classes. row_cells: the <td> of a row, one per class and one more where there is a
// last title. numbers: the same for those who read text.
page::Piece class_matrix(std::string_view caption, std::span<const std::string> class_names,
                         std::string_view last_title, const std::function<Html(std::size_t)>& row_cells,
                         const Table& numbers);

}  // namespace mash
