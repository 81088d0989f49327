// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/render/page.hpp"
#include "server/http/frame/visit.hpp"

// The frame of all pages of the site. They need no script; one that has a script does the same without.
namespace mash::server {

struct PageLook {
  std::string refresh_to = {};   // loaded again every 2 s by browsers without scripts; empty: not
  std::string_view script = {};  // "/live.js"; empty: none
  bool has_contents = true;      // links to its sections at the top
};
// A whole page: the site's navigation, heading, lead, sections.
Response site_page(const Visit& visit, std::string_view heading, const Html& lead,
                   std::span<const page::Section> sections, const PageLook& look = {}, int status = 200);

// The page that a runner made of something, with links back to the site at the beginning of its body. label:
// names them for those who cannot see them. A page without a body stays as it is.
std::string with_way_back(std::string page, std::string_view label, const Html& links);

// The style sheet of the site, and the script that shows a submission's steps as they come.
std::string_view site_style();
std::string_view live_script();

// A form that is sent with POST to `action`, with the token of the session. content: fields and buttons.
Html form(const Visit& visit, std::string_view action, const Html& content);
// A form of one button.
Html button_form(const Visit& visit, std::string_view action, std::string_view label);
struct TextField {
  std::string_view name, label, hint = {}, type = "text", value = {}, autocomplete = "off";
  bool is_required = true;
};
Html text_field(const TextField& field);
Html text_area(const TextField& field, int num_rows);
struct Choice {
  std::string value, label;
};
// chosen: the value of one of them.
Html select_field(const TextField& field, std::span<const Choice> choices, std::string_view chosen);
Html check_box(std::string_view name, std::string_view label, std::string_view hint, bool is_checked);
Html submit_button(std::string_view label);

Html link(std::string_view address, std::string_view text);

// The address of the request with this value of a parameter in place of those that it has; empty: without.
std::string address_with(const Request& request, std::string_view name, std::string_view value);

}  // namespace mash::server
