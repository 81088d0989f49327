// SPDX-License-Identifier: Apache-2.0
#include "server/http/boards/answers.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "framework/base/hash.hpp"
#include "framework/base/lower_case.hpp"
#include "framework/base/percent.hpp"
#include "framework/base/utc_time.hpp"
#include "framework/render/wording.hpp"
#include "server/http/boards/contributor_pages.hpp"
#include "server/http/boards/pages.hpp"
#include "server/http/boards/plots.hpp"
#include "server/http/boards/tables.hpp"
#include "server/http/boards/take_part.hpp"
#include "server/http/boards/terms.hpp"
#include "server/http/frame/intake.hpp"
#include "server/http/frame/layout.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kAll = 1'000'000;

// The answer that follows from `key` alone: made once, and not sent again to those who have it. Pages carry
// the name of the user who has logged in, and are made for them each time.
template <class Make>
Response remembered(Visit& visit, bool is_page, const std::string& key, const Make& make) {
  if (is_page && visit.who) return make();
  const std::string full = fmt::format("{} {} {}", MASH_VERSION, int(visit.site.settings.registration), key);
  const std::string tag = fmt::format("\"{}\"", sha256(full).substr(0, 32));
  const std::vector<std::pair<std::string, std::string>> headers = {{"ETag", tag},
                                                                    {"Cache-Control", "no-cache"}};
  if (visit.request.if_none_match.find(tag) != std::string::npos) return {.status = 304, .headers = headers};
  auto kept = visit.site.pages.find(full);
  if (kept == nullptr) {
    Response made = make();
    if (made.status != 200) return made;
    made.headers.insert(made.headers.end(), headers.begin(), headers.end());
    kept = std::make_shared<const Response>(std::move(made));
    visit.site.pages.keep(full, kept);
  }
  return {.status = kept->status,
          .content_type = kept->content_type,
          .headers = kept->headers,
          .shared_body = std::shared_ptr<const std::string>(kept, &kept->body)};
}

// Nothing: there is no such board, or no such version of it.
Result<std::optional<BoardView>> find_view(Visit& visit, const std::string& name,
                                           std::optional<std::int64_t> version) {
  MASH_ASSIGN(std::vector<Board> versions, read_board_versions(visit.records, name));
  const auto board = version ? std::ranges::find(versions, *version, &Board::version) : versions.begin();
  if (board == versions.end()) return std::optional<BoardView>();
  BoardView view;
  MASH_ASSIGN(view.stand, visit.site.boards.stand(visit.records, *board));
  if (board == versions.begin() && versions.size() > 1) {
    MASH_ASSIGN(view.former, visit.site.boards.stand(visit.records, versions[1]));
  }
  view.versions = std::move(versions);
  return std::optional(std::move(view));
}

// The board of a request, with what is asked for of it; else the answer that says why not.
struct BoardVisit {
  BoardView view;
  BoardQuery query;
};
Response no_such_board(const Visit& visit, const std::string& name) {
  const auto boards = read_boards(visit.records);
  if (!boards.ok()) return failed(visit, boards.error());
  if (boards->empty()) return not_found(visit);
  if (std::ranges::find(*boards, name, &Board::name) != boards->end())
    return trouble(visit, 404, "Not found", fmt::format("The board {} has no such version.", name));
  std::vector<std::string> names;
  for (const Board& board : *boards) names.push_back(board.name);
  return trouble(
      visit, 404, "Not found",
      fmt::format("There is no board of this name. Those that exist: {}.", fmt::join(names, ", ")));
}

std::variant<BoardVisit, Response> visit_board(Visit& visit, const std::string& name) {
  const auto query = read_board_query(visit.request);
  if (!query.ok()) return failed(visit, query.error());
  auto view = find_view(visit, name, query->version);
  if (!view.ok()) return failed(visit, view.error());
  if (!view->has_value()) return no_such_board(visit, name);
  return BoardVisit{**std::move(view), *query};
}

std::size_t num_contributors(const BoardStand& stand) {
  return chosen_contributors(stand, {.by = BoardBy::kContributor}).size();
}

Response board_html(Visit& visit, const BoardVisit& asked) {
  const BoardView& view = asked.view;
  const std::string path = board_path(view.board());
  return remembered(visit, true, view.key() + address_of(asked.query, path), [&] {
    const std::string heading =
        view.is_newest() ? board_heading(view.versions.front())
                         : fmt::format("Board {}, version {}", view.board().name, view.board().version);
    return site_page(visit, heading, board_lead(view, asked.query), board_sections(view, asked.query));
  });
}

// The rows that are asked for: all (page 0), or one page.
Response board_document(Visit& visit, const BoardVisit& asked, std::string_view ending) {
  const BoardView& view = asked.view;
  const std::string address =
      fmt::format("{}{} {}", address_of(asked.query, board_path(view.board())), ending, asked.query.page);
  return remembered(visit, false, view.key() + address, [&]() -> Response {
    const bool by_heuristic = asked.query.by == BoardBy::kHeuristic;
    const auto entries = chosen_entries(*view.stand, asked.query);
    const auto contributors =
        by_heuristic ? std::vector<ContributorStand>() : chosen_contributors(*view.stand, asked.query);
    const std::size_t num_rows = by_heuristic ? entries.size() : contributors.size();
    const PageSpan span =
        asked.query.page == 0 ? PageSpan{1, 1, 0, num_rows} : page_span(num_rows, asked.query.page);
    const std::size_t num_shown = span.end - span.begin;
    const Table table =
        by_heuristic ? entries_table(*view.stand, std::span(entries).subspan(span.begin, num_shown),
                                     asked.query.together)
                     : contributors_table(*view.stand, std::span(contributors).subspan(span.begin, num_shown),
                                          asked.query.together);
    if (ending == ".csv") return {200, "text/csv; charset=utf-8", csv_of(table)};
    return {200, "application/json", json_of(table, view.board(), span, num_rows)};
  });
}

// Without ".csv" or ".json" where it ends so.
std::string_view without_ending(std::string_view name, std::string_view ending) {
  if (name.ends_with(ending)) name.remove_suffix(ending.size());
  return name;
}

// The sections of a first visit, and those of the board.
Response start_page(const Visit& visit, const BoardView& view, const page::Piece& boards) {
  const BoardQuery query;
  std::vector<page::Section> sections = {{"take-part", "How to take part", how_to_take_part(visit)}};
  if (!boards.html.markup.empty()) sections.push_back({"boards", "Boards", boards});
  const std::string heading = board_heading(view.versions.front());
  for (page::Section& section : board_sections(view, query)) {
    if (section.id == "ranking") section.heading = heading;
    sections.push_back(std::move(section));
  }
  return site_page(visit, "MASH", what_this_is(), sections);
}

bool has_anything_public(const ContributorView& view) {
  return !view.submissions.empty() || num_entries(view) > 0;
}

// By their name, or by one that they had before.
Result<std::optional<ContributorView>> find_contributor(Visit& visit, const std::string& name) {
  MASH_ASSIGN(auto user, find_user(visit.records, name));
  if (!user) {
    MASH_ASSIGN(user, find_renamed_user(visit.records, name));
  }
  if (!user) return std::optional<ContributorView>();
  const bool sees_all = visit.is_user(user->id) || visit.is_operator();
  ContributorView view{user->name, {}, {}};
  MASH_ASSIGN(view.submissions,
              read_submissions(visit.records, {.user_id = user->id, .with_private = sees_all, .most = kAll}));
  std::erase_if(view.submissions, [](const Submission& one) { return !one.removed_why.empty(); });
  MASH_ASSIGN(const auto boards, read_boards(visit.records));
  for (const Board& board : boards) {
    MASH_ASSIGN(auto stand, visit.site.boards.stand(visit.records, board));
    view.stands.push_back(std::move(stand));
  }
  // Whether somebody has an account is nobody's business before they show something.
  if (!sees_all && !has_anything_public(view)) return std::optional<ContributorView>();
  return std::optional(std::move(view));
}

Result<Json> boards_document(Visit& visit) {
  Json document{{"boards", Json::array()}};
  MASH_ASSIGN(const auto boards, read_boards(visit.records));
  for (const Board& board : boards) {
    MASH_ASSIGN(const auto stand, visit.site.boards.stand(visit.records, board));
    Json& row = document["boards"].emplace_back(
        Json{{"name", board.name},
             {"version", board.version},
             {"num_seeds", board.num_seeds},
             {"ladder_step", ladder_step_json(board.ladder_step)},
             {"copies", word_of(stand->copies)},
             {"num_entries", stand->entries.size()},
             {"page", board_path(board)},
             {"is_open", phase_of(board.terms, moment_now()) == BoardPhase::kOpen}});
    row.update(terms_json(board.terms));
  }
  return document;
}

}  // namespace

Response show_start(Visit& visit, const Parts&) {
  const auto boards = read_boards(visit.records);
  if (!boards.ok()) return failed(visit, boards.error());
  if (boards->empty()) {
    const page::Section sections[] = {{"board", "No board yet", how_to_make_a_board()}};
    return site_page(visit, "MASH", what_this_is(), sections);
  }
  const auto view = find_view(visit, usual_board(*boards).name, {});
  if (!view.ok()) return failed(visit, view.error());
  if (!view->has_value()) return not_found(visit);
  const page::Piece all = boards->size() > 1 ? boards_list(*boards) : page::Piece{};
  const std::string key = fmt::format("{} / {} {}", (*view)->key(), site_url(visit), all.html.markup);
  return remembered(visit, true, key, [&] { return start_page(visit, **view, all); });
}

Response show_board(Visit& visit, const Parts& parts) {
  const std::string& part = parts.at(0);
  const std::string_view ending = part.ends_with(".csv") ? ".csv" : part.ends_with(".json") ? ".json" : "";
  const auto asked = visit_board(visit, std::string(without_ending(part, ending)));
  if (const auto* refused = std::get_if<Response>(&asked)) return *refused;
  const auto& board = std::get<BoardVisit>(asked);
  return ending.empty() ? board_html(visit, board) : board_document(visit, board, ending);
}

Response show_front(Visit& visit, const Parts& parts) {
  const auto asked = visit_board(visit, parts.at(0));
  if (const auto* refused = std::get_if<Response>(&asked)) return *refused;
  const BoardView& view = std::get<BoardVisit>(asked).view;
  return remembered(visit, false, view.key() + " front.svg", [&]() -> Response {
    Response response = whole_page(svg_file(front_chart(*view.stand)));
    response.content_type = "image/svg+xml";
    return response;
  });
}

Response show_contributors(Visit& visit, const Parts&) {
  const auto boards = read_boards(visit.records);
  if (!boards.ok()) return failed(visit, boards.error());
  std::vector<BoardView> views;
  std::string key = "contributors";
  for (const Board& board : *boards) {
    auto view = find_view(visit, board.name, {});
    if (!view.ok()) return failed(visit, view.error());
    if (!view->has_value()) continue;
    key += " " + (*view)->key();
    views.push_back(**std::move(view));
  }
  return remembered(visit, true, key, [&] {
    std::vector<std::string> ids, headings;  // what sections have of them must stay where it is
    std::vector<page::Section> sections;
    ids.reserve(views.size());
    headings.reserve(views.size());
    for (const BoardView& view : views) {
      ids.push_back(fmt::format("board-{}", view.board().id));
      headings.push_back(fmt::format("Board {}: {}", view.board().name,
                                     counted(num_contributors(*view.stand), "contributor")));
      sections.push_back(
          {ids.back(), headings.back(), contributors_piece(view, {.by = BoardBy::kContributor})});
    }
    return site_page(visit, "Contributors",
                     markup("All who have a heuristic on a board, ranked by the best one."), sections);
  });
}

Response show_contributor(Visit& visit, const Parts& parts) {
  const auto view = find_contributor(visit, parts.at(0));
  if (!view.ok()) return failed(visit, view.error());
  if (!view->has_value()) return not_found(visit);
  if (in_lower_case((*view)->name) != in_lower_case(parts.at(0)))
    return moved("/contributors/" + percent_encoded((*view)->name));
  return site_page(visit, (*view)->name,
                   markup("{} on the boards. {}", counted(num_entries(**view), "heuristic"),
                          link("/contributors", "All contributors")),
                   contributor_sections(**view));
}

Response tell_boards(Visit& visit, const Parts&) {
  const auto document = boards_document(visit);
  return document.ok() ? json(*document) : failed(visit, document.error());
}

Response tell_leaderboard(Visit& visit, const Parts&) {
  std::string name(visit.request.value("board"));
  if (name.empty()) {
    const auto boards = read_boards(visit.records);
    if (!boards.ok()) return failed(visit, boards.error());
    if (boards->empty()) return trouble(visit, 404, "No board", "there is no board yet");
    name = usual_board(*boards).name;
  }
  const auto asked = visit_board(visit, name);
  if (const auto* refused = std::get_if<Response>(&asked)) return *refused;
  return board_document(visit, std::get<BoardVisit>(asked), ".json");
}

}  // namespace mash::server
