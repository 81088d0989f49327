// SPDX-License-Identifier: Apache-2.0
#include "framework/render/class_matrix.hpp"

#include <algorithm>

#include "framework/base/utf8.hpp"

namespace mash {
namespace {

constexpr std::size_t kShortName = 4;  // characters that fit above a column; longer names stand upright

}  // namespace

page::Piece class_matrix(std::string_view caption, std::span<const std::string> class_names,
                         std::string_view last_title, const std::function<Html(std::size_t)>& row_cells,
                         const Table& numbers) {
  const bool are_names_long =
      std::any_of(class_names.begin(), class_names.end(),
                  [](const std::string& name) { return num_code_points(name) > kShortName; });
  Html out = markup("<table class=\"{}\">\n<caption>{}</caption>\n<thead><tr><td></td>",
                    are_names_long ? "confusion long" : "confusion", caption);
  for (const std::string& name : class_names) out += markup("<th scope=\"col\"><span>{}</span></th>", name);
  if (!last_title.empty()) out += markup("<th scope=\"col\">{}</th>", last_title);
  out += markup("</tr></thead>\n<tbody>\n");
  for (std::size_t i = 0; i < class_names.size(); ++i)
    out += markup("<tr><th scope=\"row\">{}</th>{}</tr>\n", class_names[i], row_cells(i));
  out += markup("</tbody></table>");
  return {page::scrollable("Classes by classes", out),
          fmt::format("{}\n\n{}\n", page::markdown_text(caption), render_markdown(numbers))};
}

}  // namespace mash
