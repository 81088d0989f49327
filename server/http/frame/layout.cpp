// SPDX-License-Identifier: Apache-2.0
#include "server/http/frame/layout.hpp"

#include <fmt/format.h>

#include "framework/base/percent.hpp"
#include "framework/render/style.hpp"

namespace mash::server {
namespace {

constexpr std::string_view kMoreStyle = R"css(
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--panel); padding: .5rem .8rem; z-index: 1; }
.site { border-bottom: 1px solid var(--line); background: var(--panel); }
.site div { max-width: 68rem; margin: 0 auto; padding: .7rem 1.5rem; display: flex; flex-wrap: wrap; gap: .3rem 1.3rem;
  align-items: baseline; }
.site a { text-decoration: none; }
.site a:hover { text-decoration: underline; }
.site .home { font-weight: 700; color: var(--text); letter-spacing: .04em; }
.site .account { margin-left: auto; display: flex; gap: 1.3rem; }
.site form, .inline { display: inline; }
header { padding-top: 2rem; }
form p { margin: 0 0 1.1rem; }
label { display: block; font-weight: 600; font-size: .95rem; }
label.box { font-weight: 400; }
.hint { display: block; color: var(--muted); font-weight: 400; font-size: .85rem; }
input[type=text], input[type=password], input[type=number], input[type=search], textarea, select {
  font: inherit; color: var(--text); background: var(--panel); border: 1px solid var(--muted); border-radius: .35rem;
  padding: .4rem .6rem; width: 100%; max-width: 30rem; margin-top: .25rem; }
textarea { max-width: none; font: .88rem/1.5 ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; }
button { font: inherit; color: var(--ground); background: var(--first); border: 1px solid var(--first); border-radius: .35rem;
  padding: .4rem .9rem; cursor: pointer; }
button.plain { color: var(--first); background: none; border-color: var(--line); padding: .15rem .6rem; font-size: .9rem; }
button:focus-visible, input:focus-visible, textarea:focus-visible, select:focus-visible {
  outline: 3px solid var(--first); outline-offset: 2px; }
.filters { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; margin-bottom: 1.2rem; }
.filters p { margin: 0; }
.filters input, .filters select { max-width: 14rem; }
.columns { columns: 16rem; }
label > input:not([type=checkbox]), label > select { display: block; }
.pages { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 1rem 0; }
.secret { font: 1rem ui-monospace, Menlo, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; user-select: all; }
.log li { white-space: pre-line; }
.source { font: .85rem/1.5 ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; width: 100%; }
.source td { padding: 0 .5rem; border: 0; white-space: pre-wrap; overflow-wrap: anywhere; vertical-align: top; }
.source .line { color: var(--muted); text-align: right; user-select: none; width: 1%; white-space: nowrap; }
.source .found td { padding: .2rem .5rem .4rem; border-left: .25rem solid var(--second); white-space: pre-wrap; }
.source .added { background: rgb(var(--cool) / .16); }
.source .removed { background: rgb(var(--heat) / .16); }
.source .equal { background: rgb(var(--cool) / .16); }
.sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem; }
@media (max-width: 40rem) { .site div { padding: .6rem 1rem; } .site .account { margin-left: 0; } .name { min-width: 3.5rem; }
  .sides { grid-template-columns: minmax(0, 1fr); } }
@media print { form, .pages { display: none; } }
)css";

constexpr std::string_view kLive = R"js('use strict';
// Shows the steps of a submission as they come. Without this script the page is loaded again every 2 s.
const log = document.querySelector('[data-live]');
if (log) {
  const source = new EventSource(log.dataset.live);
  const row = (step) => {
    const line = document.createElement('li');
    line.textContent = `${step.at} ${step.state}: ${step.text}`;
    return line;
  };
  source.addEventListener('step', (event) => {
    const step = JSON.parse(event.data);
    log.append(row(step));
    document.querySelector('[data-state]').textContent = `This submission is ${step.state}.`;
  });
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 5000);
  });
  source.addEventListener('end', () => {
    source.close();
    location.reload();
  });
}
)js";

Html account_links(const Visit& visit) {
  if (!visit.who) {
    const bool takes_new = visit.site.settings.registration != Registration::kClosed;
    return markup("{}{}", link("/login", "Log in"), takes_new ? link("/register", "Register") : Html{});
  }
  return markup("{}{}", visit.is_operator() ? link("/operator", "Operator") : Html{},
                link("/me", visit.who->user.name));
}

Html navigation(const Visit& visit) {
  return markup(
      "<nav class=\"site\" aria-label=\"Site\"><div><a class=\"home\" href=\"/\">MASH</a>{}{}{}{}{}{}<span "
      "class=\"account\">{}</span></div></nav>\n",
      link("/submit", "Submit"), link("/submissions", "Submissions"), link("/contributors", "Contributors"),
      link("/datasets", "Data sets"), link("/uncovered", "Pictures nobody gets right"),
      link("/rules", "Rules"), account_links(visit));
}

Html head(std::string_view heading, const PageLook& look) {
  Html out = markup(
      "<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{} – MASH</title>\n"
      "<link rel=\"stylesheet\" href=\"/style.css\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<link rel=\"alternate\" type=\"application/atom+xml\" title=\"News\" href=\"/feed.atom\">\n",
      heading);
  if (!look.refresh_to.empty())
    out +=
        markup("<noscript><meta http-equiv=\"refresh\" content=\"2;url={}\"></noscript>\n", look.refresh_to);
  if (!look.script.empty()) out += markup("<script src=\"{}\" defer></script>\n", look.script);
  return out;
}

Html hint(std::string_view text) {
  return text.empty() ? Html{} : markup(" <span class=\"hint\">{}</span>", text);
}

}  // namespace

Response site_page(const Visit& visit, std::string_view heading, const Html& lead,
                   std::span<const page::Section> sections, const PageLook& look, int status) {
  const bool has_contents = look.has_contents && sections.size() > 1;
  const Html body = markup(
      "<a class=\"skip\" href=\"#content\">To the content</a>\n{}<header>\n<h1>{}</h1>\n<p "
      "class=\"lead\">{}</p>\n"
      "{}</header>\n<main id=\"content\">\n{}</main>\n<footer><p>{} · {} · {} · mash {}</p></footer>\n",
      navigation(visit), heading, lead, has_contents ? page::contents(sections) : Html{},
      page::sections_html(sections), link("/experiments", "Experiments"), link("/api", "API"),
      link("/feed.atom", "Feed"), MASH_VERSION);
  Response response =
      html(markup("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n{}</head>\n<body>\n{}</body>\n</html>\n",
                  head(heading, look), body)
               .markup,
           status);
  if (visit.who) response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

std::string with_way_back(std::string page, std::string_view label, const Html& links) {
  constexpr std::string_view kBody = "<body>";
  const std::size_t body = page.find(kBody);
  if (body != std::string::npos)
    page.insert(body + kBody.size(),
                markup("\n<nav aria-label=\"{}\">{} · {}</nav>", label, links, link("/", "MASH")).markup);
  return page;
}

std::string_view site_style() {
  static const std::string style = fmt::format("{}{}", kStyle, kMoreStyle);
  return style;
}

std::string_view live_script() { return kLive; }

Html form(const Visit& visit, std::string_view action, const Html& content) {
  return markup(
      "<form method=\"post\" action=\"{}\" enctype=\"multipart/form-data\"><input type=\"hidden\" "
      "name=\"form_token\" value=\"{}\">\n{}</form>\n",
      action, visit.form_token, content);
}

Html button_form(const Visit& visit, std::string_view action, std::string_view label) {
  return markup(
      "<form class=\"inline\" method=\"post\" action=\"{}\"><input type=\"hidden\" name=\"form_token\" "
      "value=\"{}\"><button class=\"plain\">{}</button></form>",
      action, visit.form_token, label);
}

Html text_field(const TextField& field) {
  return markup(
      "<p><label>{}{}<input type=\"{}\" name=\"{}\" value=\"{}\" autocomplete=\"{}\"{}></label></p>\n",
      field.label, hint(field.hint), field.type, field.name, field.value, field.autocomplete,
      Html{field.is_required ? " required" : ""});
}

Html text_area(const TextField& field, int num_rows) {
  return markup(
      "<p><label>{}{}<textarea name=\"{}\" rows=\"{}\" spellcheck=\"false\">\n{}</textarea></label></p>\n",
      field.label, hint(field.hint), field.name, num_rows, field.value);
}

Html select_field(const TextField& field, std::span<const Choice> choices, std::string_view chosen) {
  Html options;
  for (const Choice& choice : choices)
    options += markup("<option value=\"{}\"{}>{}</option>", choice.value,
                      Html{choice.value == chosen ? " selected" : ""}, choice.label);
  return markup("<p><label>{}{}<select name=\"{}\">{}</select></label></p>\n", field.label, hint(field.hint),
                field.name, options);
}

Html check_box(std::string_view name, std::string_view label, std::string_view text, bool is_checked) {
  return markup(
      "<p><label class=\"box\"><input type=\"checkbox\" name=\"{}\" value=\"yes\"{}> {}{}</label></p>\n",
      name, Html{is_checked ? " checked" : ""}, label, hint(text));
}

Html submit_button(std::string_view label) { return markup("<p><button>{}</button></p>\n", label); }

Html link(std::string_view address, std::string_view text) {
  return markup("<a href=\"{}\">{}</a>", address, text);
}

std::string address_with(const Request& request, std::string_view name, std::string_view value) {
  std::string out = request.target.substr(0, request.target.find('?'));
  char mark = '?';
  const auto add = [&](std::string_view key, std::string_view text) {
    out += fmt::format("{}{}={}", mark, percent_encoded(key), percent_encoded(text));
    mark = '&';
  };
  for (const auto& [key, text] : request.query)
    if (key != name) add(key, text);
  if (!value.empty()) add(name, value);
  return out;
}

}  // namespace mash::server
