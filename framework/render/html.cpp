// SPDX-License-Identifier: Apache-2.0
#include "framework/render/html.hpp"

#include "framework/base/utf8.hpp"

namespace mash {

std::string escape_html(std::string_view text) {
  const std::string visible = without_hidden_characters(text);
  std::string out;
  out.reserve(visible.size());
  for (const char c : visible) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
    }
  }
  return out;
}

}  // namespace mash
