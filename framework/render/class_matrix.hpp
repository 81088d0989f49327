// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "framework/render/html.hpp"

namespace mash {

// A table of classes by classes. row_cells: the <td> of a row, one per class and one more where there is a
// last title.
Html class_matrix(std::string_view caption, std::span<const std::string> class_names,
                  std::string_view last_title, const std::function<Html(std::size_t)>& row_cells);

}  // namespace mash
