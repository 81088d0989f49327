// SPDX-License-Identifier: Apache-2.0
#include "server/http/boards/take_part.hpp"

#include <fmt/format.h>

#include "server/http/boards/example_heuristic.hpp"
#include "server/http/frame/layout.hpp"

namespace mash::server {
namespace {

Html account_step(const Visit& visit) {
  if (visit.who) return markup("You have an account: {}.", link("/me", visit.who->user.name));
  switch (visit.site.settings.registration) {
    case Registration::kOpen:
      return markup("{}: it takes a name and a password.", link("/register", "Register"));
    case Registration::kInvitation:
      return markup("Ask the operator of this site for an invitation, and {}.",
                    link("/register", "register"));
    case Registration::kClosed: break;
  }
  return markup("Ask the operator of this site for an account, and {}.", link("/login", "log in"));
}

}  // namespace

Html what_this_is() {
  return markup(
      "A heuristic is a small piece of C++ that looks at a picture and gives numbers, such as how bright "
      "each of its rows is. Here anybody hands one in, and it is ranked by how much better a classifier of "
      "pictures becomes with it.");
}

page::Piece how_to_take_part(const Visit& visit) {
  page::Piece piece{
      markup("<ol>\n<li><b>Get an account.</b> {}</li>\n<li><b>Write one C++ file</b> such as the one below. "
             "{} say what it may do.</li>\n<li><b>Submit it</b> {}, or from a shell: <code>mash submit "
             "row_means.cpp --licence Apache-2.0 --server {}</code>. It is compiled, checked and judged "
             "within minutes, while you watch.</li>\n</ol>\n",
             account_step(visit), link("/rules", "The rules"), link("/submit", "in the browser"),
             site_url(visit)),
      ""};
  piece += page::code(kExampleFile, kExampleSource);
  const Html further[] = {
      markup("{}: what pictures there are, and what they show.", link("/datasets", "Data sets")),
      markup("{}: pictures that every heuristic gets wrong.",
             link("/uncovered", "Pictures nobody gets right")),
      markup("{}: how gains are measured, and what is not allowed.", link("/rules", "Rules"))};
  piece += page::list(further);
  return piece;
}

page::Piece how_to_make_a_board() {
  page::Piece piece = page::paragraph(
      markup("There is no board yet, so nothing can be handed in. The operator of this site makes the first "
             "one: an experiment beside whose heuristics the others are offered."));
  piece += page::code("How the operator makes a board", "mash serve FOLDER --board EXPERIMENT");
  return piece;
}

}  // namespace mash::server
