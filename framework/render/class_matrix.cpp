// SPDX-License-Identifier: Apache-2.0
#include "framework/render/class_matrix.hpp"

namespace mash {

Html class_matrix(std::string_view caption, std::span<const std::string> class_names,
                  std::string_view last_title, const std::function<Html(std::size_t)>& row_cells) {
  Html out = markup("<table class=\"confusion\">\n<caption>{}</caption>\n<thead><tr><td></td>", caption);
  for (const std::string& name : class_names) out += markup("<th scope=\"col\">{}</th>", name);
  if (!last_title.empty()) out += markup("<th scope=\"col\">{}</th>", last_title);
  out += markup("</tr></thead>\n<tbody>\n");
  for (std::size_t i = 0; i < class_names.size(); ++i)
    out += markup("<tr><th scope=\"row\">{}</th>{}</tr>\n", class_names[i], row_cells(i));
  out += markup("</tbody></table>");
  return html_scrollable("Classes by classes", out);
}

}  // namespace mash
