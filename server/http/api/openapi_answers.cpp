// SPDX-License-Identifier: Apache-2.0
#include "server/http/api/openapi_answers.hpp"

#include <fmt/format.h>

#include "server/http/api/openapi.hpp"
#include "server/http/boards/example_heuristic.hpp"
#include "server/http/frame/layout.hpp"

namespace mash::server {
namespace {

page::Section addresses_section() {
  Table table{"Addresses",
              {{"address", "address"}, {"method", "method"}, {"scope", "token"}, {"about", "what it does"}},
              {},
              ""};
  for (const ApiOperation& operation : api_operations())
    table.rows.push_back({std::string(operation.path), std::string(operation.method),
                          std::string(operation.scope.empty() ? "none" : operation.scope),
                          std::string(operation.about)});
  page::Piece body =
      page::table(table, "All addresses. Where a token is needed: the scope that it must have.");
  body +=
      page::paragraph(markup("{} (OpenAPI 3.0) says all parameters and answers, for people and for programs "
                             "that make clients of it.",
                             link("/api/v1/openapi.json", "openapi.json")));
  return {"addresses", "Addresses", std::move(body)};
}

page::Section examples_section(std::string_view url) {
  page::Piece body = page::heading("Read a leaderboard");
  body += page::code("Read a leaderboard", fmt::format("curl '{}/api/v1/leaderboard?page=1'\n", url));
  body += page::heading("Hand a source in");
  body += page::code("Hand a source in",
                     fmt::format("jq -n --rawfile source {0} \\\n"
                                 "  '{{file_name: \"{0}\", source: $source, licence: \"Apache-2.0\"}}' |\n"
                                 "  curl --data-binary @- -H \"Authorization: Bearer $MASH_TOKEN\" \\\n"
                                 "       -H 'Content-Type: application/json' '{1}/api/v1/submissions'\n",
                                 kExampleFile, url));
  body += page::heading("See what came of it");
  body +=
      page::code("See what came of it", fmt::format("curl '{0}/api/v1/submissions/1'\n"
                                                    "curl --no-buffer '{0}/api/v1/submissions/1/events'\n",
                                                    url));
  body += page::heading("How much of the quota is used");
  body += page::code("How much of the quota is used",
                     fmt::format("curl -H \"Authorization: Bearer $MASH_TOKEN\" '{}/api/v1/me'\n", url));
  return {"examples", "Examples", std::move(body)};
}

page::Section conventions_section() {
  const std::vector<Html> items = {
      markup("Everything is JSON in UTF-8, except reports (HTML), sources (text) and events (server-sent "
             "events)."),
      markup("What is public needs no token. A token is made on {}, has a scope (read, submit or operate), "
             "and goes into the header <code>Authorization: Bearer TOKEN</code>.",
             link("/me", "the page of your account")),
      markup("An error has a status of 400 or more and says what was wrong: <code>{{\"error\": "
             "\"text\"}}</code>. 401: no token that holds; 403: not yours to do; 404: not there, or not for "
             "you; 409: the board is not open; 413: too large; 422: a wrong value; 429: a quota or the "
             "attempts of a day are used up, or too many requests; "
             "Retry-After then says how many seconds to wait."),
      markup("With the header <code>Idempotency-Key</code> a submission that is sent twice is one "
             "submission: send it again when the connection broke."),
      markup("Gains are in per cent of the log-loss; <code>gain_ci95</code> is half the width of the 95 % "
             "interval."),
      markup("Within version 1 keys may be added, but none is taken away or changes its meaning.")};
  return {"conventions", "What holds of all of it", page::list(items)};
}

}  // namespace

Response show_api(Visit& visit, const Parts&) {
  const std::vector<page::Section> sections = {examples_section(site_url(visit)), conventions_section(),
                                               addresses_section()};
  return site_page(visit, "API",
                   markup("The same as these pages, for programs. From a shell, <code>mash submit</code>, "
                          "<code>mash status</code> and <code>mash leaderboard --server</code> use it."),
                   sections);
}

Response tell_openapi(Visit& visit, const Parts&) { return json(openapi_document(site_url(visit))); }

}  // namespace mash::server
