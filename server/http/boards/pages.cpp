// SPDX-License-Identifier: Apache-2.0
#include "server/http/boards/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "framework/base/percent.hpp"
#include "framework/base/utc_time.hpp"
#include "framework/render/limit_note.hpp"
#include "framework/render/wording.hpp"
#include "server/http/boards/plots.hpp"
#include "server/http/boards/tables.hpp"
#include "server/http/boards/terms.hpp"
#include "server/http/frame/layout.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kMostPointsOnPage = 200;
constexpr std::string_view kRankWords =
    "Heuristics that cannot be told apart share ranks: 2–5 may be any of these, and rows that share ranks "
    "have the same background. Gains carry half the width of their 95 % interval.";
constexpr std::string_view kOwnWords =
    "The true rank of a heuristic lies in its range with 95 % confidence, each taken by itself.";
constexpr std::string_view kTogetherWords =
    "All true ranks lie in their ranges at the same time with 95 % confidence: for claims about many at "
    "once, "
    "such as the ten best.";

const SortKey& key_of(const BoardQuery& query) {
  return *std::ranges::find(sort_keys(query.by), query.sort, &SortKey::name);
}

// "Sorted by gain, the highest first."
std::string order_words(const BoardQuery& query) {
  return fmt::format("Sorted by {}, the {} first.", key_of(query).title,
                     query.is_descending ? "highest" : "lowest");
}

// Every other band of rows that share a set of ranks; a copy is in the band of the one that it stands with.
std::vector<bool> shaded_bands(const Table& table) {
  std::vector<bool> shaded;
  std::string former;
  for (const auto& row : table.rows) {
    const std::string rank = show(row[0], Format::kText);
    const bool begins = !former.empty() && rank != former && rank != "copy";
    shaded.push_back(begins ? !shaded.back() : !shaded.empty() && shaded.back());
    if (rank != "copy") former = rank;
  }
  return shaded;
}

// Whether all texts of this column are empty. REQUIRES: it has only texts.
bool says_nothing(const Table& table, std::string_view key) {
  const std::size_t place = place_of_column(table, key);
  return place == table.columns.size() || std::ranges::all_of(table.rows, [&](const std::vector<Cell>& row) {
           return std::get<std::string>(row[place]).empty();
         });
}

// The columns that a page has room for: without those that say nothing of any row, and without what stands on
// the pages of heuristics or in a sentence of this one.
Table columns_of_page(Table table) {
  for (const char* key : {"settings", "beyond"}) table = without_empty_column(std::move(table), key);
  if (says_nothing(table, "verified")) table = without_column(std::move(table), "verified");
  for (const char* key : {"beyond_others", "beyond_at", "beyond_remark", "limited_by", "wanted_pictures",
                          "num_features", "submission"})
    table = without_column(std::move(table), key);
  return table;
}

page::Piece ranking_table(const Table& all, const BoardQuery& query, std::string_view path) {
  Table table = columns_of_page(all);
  page::TableLinks links;
  if (query.sort == "rank") links.shaded = shaded_bands(table);
  for (Column& column : table.columns) {
    const auto keys = sort_keys(query.by);
    const auto key = std::ranges::find(keys, column.key, &SortKey::name);
    links.headers.push_back(key == keys.end() ? "" : address_of(sorted_by(query, *key), path));
    if (column.key == query.sort) column.title += query.is_descending ? " ↓" : " ↑";
  }
  // All columns: some of those that are shown lead to what stands in another one.
  links.cells = [&](std::size_t row, std::size_t column) {
    return cell_address(all, row, place_of_column(all, table.columns[column].key));
  };
  return page::linked_table(
      with_dashes(table),
      fmt::format("{} {} {}", order_words(query), kRankWords, query.together ? kTogetherWords : kOwnWords),
      links);
}

// The other form of the sets of ranks.
page::Piece link_to_other_ranks(BoardQuery query, std::string_view path) {
  query.together = !query.together;
  return {markup("<p class=\"note\">{}</p>\n",
                 link(address_of(query, path),
                      query.together ? "Ranks that hold all at once" : "Ranks that hold each by itself")),
          ""};
}

page::Piece words_link() {
  return {markup("<p class=\"note\">{}: log-loss, expected rank, pool, placebo, Ladder.</p>\n",
                 link("/rules#words", "What the words mean")),
          ""};
}

// The sentence on open ranks that no number of seeds would close; nothing where there are none.
page::Piece limit_piece(const Table& table) {
  const std::string note = limit_note(table);
  return note.empty() ? page::Piece{} : page::paragraph(markup("{}.", note));
}

// The sentence on ranks that more seeds may close; nothing where there are none.
page::Piece seeds_words(const Table& table) {
  const std::size_t place = place_of_column(table, "limited_by");
  const bool is_there = place < table.columns.size() && std::ranges::any_of(table.rows, [&](const auto& row) {
                          return show(row[place], Format::kText) == "seeds";
                        });
  if (!is_there) return {};
  return page::note(
      "More seeds may part some that share ranks (limited_by in CSV and JSON): they are measured while "
      "nothing "
      "waits to be judged.");
}

// The meaning of the column beyond; nothing where the table has none.
page::Piece beyond_words(const Table& table) {
  if (place_of_column(table, "beyond") == table.columns.size()) return {};
  return page::note(
      "Beyond: what a heuristic adds beside the base and all others that stood here when it was measured. "
      "One "
      "with features that are there already may still gain about a per cent, as they are drawn more often. "
      "The page of each heuristic has their number and the date, as have CSV and JSON. Two "
      "of these figures are beside two pools, so they have no ranks.");
}

page::Piece kinds_of_ranking(const BoardQuery& query, std::string_view path) {
  const auto one = [&](BoardBy by, std::string_view name) {
    if (query.by == by) return markup("<b aria-current=\"page\">{}</b>", name);
    return link(address_of({.version = query.version, .by = by}, path), name);
  };
  return {markup("<nav class=\"pages\" aria-label=\"What is ranked\">{}{}{}</nav>\n",
                 one(BoardBy::kHeuristic, "Heuristics"), one(BoardBy::kContributor, "Contributors"),
                 link("/experiments", "Experiments")),
          ""};
}

Html order_fields(const BoardQuery& query) {
  std::vector<Choice> keys;
  for (const SortKey& key : sort_keys(query.by))
    keys.push_back({std::string(key.name), std::string(key.title)});
  const Choice orders[] = {{"desc", "highest first"}, {"asc", "lowest first"}};
  return markup(
      "{}{}", select_field({.name = "sort", .label = "Sorted by"}, keys, query.sort),
      select_field({.name = "order", .label = "Order"}, orders, query.is_descending ? "desc" : "asc"));
}

page::Piece filters(const BoardView& view, const BoardQuery& query, std::string_view path) {
  Html fields;
  if (query.version)
    fields += markup("<input type=\"hidden\" name=\"version\" value=\"{}\">", *query.version);
  const bool by_heuristic = query.by == BoardBy::kHeuristic;
  if (!by_heuristic) fields += markup("<input type=\"hidden\" name=\"by\" value=\"contributor\">");
  const auto field = [](std::string_view name, std::string_view label, std::string_view value) {
    return text_field({.name = name, .label = label, .type = "search", .value = value, .is_required = false});
  };
  fields += field("find", by_heuristic ? "Text in name or summary" : "Text in the name", query.find);
  if (by_heuristic) {
    fields += field("contributor", "Contributor", query.contributor);
    std::set<std::string> known;
    for (const BoardEntry& entry : view.stand->entries) known.insert(entry.finding);
    if (!query.finding.empty()) known.insert(query.finding);
    std::vector<Choice> findings = {{"", "any"}};
    for (const std::string& finding : known) findings.push_back({finding, finding});
    fields += select_field({.name = "finding", .label = "Finding"}, findings, query.finding);
  }
  fields += order_fields(query);
  return {markup("<form class=\"filters\" method=\"get\" action=\"{}\" role=\"search\" aria-label=\"The "
                 "ranking\">\n{}{}</form>\n",
                 path, fields, submit_button("Show")),
          ""};
}

page::Piece page_links(const BoardQuery& query, const PageSpan& span, std::string_view path) {
  if (span.num_pages == 1) return {};
  const auto one = [&](std::size_t page, std::string_view name) {
    BoardQuery there = query;
    there.page = page;
    return page == span.page || page < 1 || page > span.num_pages ? Html{}
                                                                  : link(address_of(there, path), name);
  };
  return {markup("<nav class=\"pages\" aria-label=\"Pages of the ranking\">{}{}<span>Page {} of "
                 "{}</span>{}{}</nav>\n",
                 one(1, "First"), one(span.page - 1, "Previous"), span.page, span.num_pages,
                 one(span.page + 1, "Next"), one(span.num_pages, "Last")),
          ""};
}

page::Piece version_words(const BoardView& view) {
  const Board& newest = view.versions.front();
  if (!view.is_newest())
    return page::paragraph(markup(
        "<b>This is version {} of the board, which is history.</b> What was judged by it stays here. {}",
        view.board().version,
        link(board_path(newest), fmt::format("The newest is version {}", newest.version))));
  if (view.former == nullptr) return {};
  std::set<std::string_view> judged;
  for (const BoardEntry& entry : view.stand->entries) judged.insert(entry.heuristic);
  const auto num_waiting = std::ranges::count_if(
      view.former->entries, [&](const BoardEntry& entry) { return !judged.contains(entry.heuristic); });
  if (num_waiting == 0) return {};
  return page::paragraph(markup(
      "<b>{} of the {} of {} were not judged on this version yet.</b> They appear here one by one as an "
      "operator has them run again.",
      num_waiting, counted(view.former->entries.size(), "heuristic"),
      link(fmt::format("{}?version={}", board_path(newest), view.former->board.version),
           fmt::format("version {}", view.former->board.version))));
}

page::Piece figures(const BoardStand& stand) {
  if (stand.entries.empty()) return {};
  std::set<std::string_view> contributors;
  for (const BoardEntry& entry : stand.entries) contributors.insert(entry.contributor);
  const BoardEntry& newest = *std::ranges::max_element(stand.entries, {}, &BoardEntry::judged_at);
  const auto num_verified = std::ranges::count_if(
      stand.entries, [](const BoardEntry& entry) { return !entry.verified_at.empty(); });
  const page::KeyFigure all[] = {
      {"Heuristics", std::to_string(stand.entries.size()), "the newest version of each"},
      {"Contributors", std::to_string(contributors.size()), "who wrote them"},
      {"Newest", newest.heuristic,
       fmt::format("{}, by {}", newest.judged_at.substr(0, 10), newest.contributor)},
      {"Verified", std::to_string(num_verified), "gave the same figures when run again"}};
  return page::key_figures(all);
}

page::Piece compare_form(const BoardStand& stand, std::span<const std::size_t> rows) {
  Html boxes;
  for (const std::size_t i : rows) {
    const BoardEntry& entry = stand.entries[i];
    boxes += markup(
        "<label class=\"box\"><input type=\"checkbox\" name=\"submission\" value=\"{}\"> {} {}</label>\n",
        entry.submission_id, entry.heuristic, entry.version);
  }
  return {markup("<form method=\"get\" action=\"/compare\">\n<fieldset>\n<legend>Choose two to six of those "
                 "on this page</legend>\n<div class=\"columns\">\n{}</div>\n</fieldset>\n{}</form>\n",
                 boxes, submit_button("Compare")),
          ""};
}

page::Piece front_piece(const BoardStand& stand, std::span<const std::size_t> rows) {
  const bool draws_all = stand.entries.size() <= kMostPointsOnPage;
  page::Piece piece = page::plot(plot_of(draws_all ? front_chart(stand) : front_chart(stand, rows)));
  const std::string file =
      fmt::format("{}/front.svg?version={}", board_path(stand.board), stand.board.version);
  piece.html += markup("<p class=\"note\">Those with a name add more than all that are cheaper. {}{}.</p>\n",
                       draws_all ? "" : "Beside them those of the table above are drawn. ",
                       link(file, fmt::format("All {} as SVG", stand.entries.size())));
  return piece;
}

page::Piece measured(const BoardView& view) {
  const Board& board = view.board();
  page::Piece piece = page::paragraph(
      markup("A heuristic is offered to a booster beside those of {}, with {} random seeds{}. Its gain "
             "is what it takes off the log-loss, in per cent, on test pictures that nobody is shown. {}.",
             link("/experiments/" + percent_encoded(board.name), "the experiment of this board"),
             board.num_seeds, board.ladder_step == 0 ? ", and more where ranks are uncertain" : "",
             link("/rules", "The rules say all of it")));
  if (board.ladder_step != 0)
    piece += page::paragraph(markup(
        "Gains are shown in steps of {}. A new version is shown with the gain of the best one "
        "before, unless it is better by at least a step: so nobody learns about the hidden pictures by "
        "handing in again and again (the Ladder of Blum and Hardt, 2015).",
        ladder_step_in_words(board.ladder_step)));
  piece += page::paragraph(markup("A heuristic with the features of another one, to the bit, {}.",
                                  view.stand->copies == CopiesRule::kRefuse
                                      ? "is rejected: this board takes no copies"
                                      : "stands with it, says whose they are, and has no rank of its own"));
  Html versions;
  for (const Board& version : view.versions)
    versions += markup("{}{} ({})", Html{versions.markup.empty() ? "" : ", "},
                       link(fmt::format("{}?version={}", board_path(version), version.version),
                            fmt::format("version {}", version.version)),
                       version.created_at.substr(0, 10));
  piece += page::paragraph(markup(
      "Versions of this board: {}. A new data set or other heuristics of the experiment make a new one.",
      versions));
  return piece;
}

std::string csv_address(const BoardQuery& query, const Board& board, std::string_view ending) {
  BoardQuery all = query;
  all.page = 0;
  return address_of(all, board_path(board) + std::string(ending));
}

// The rows of one page. Past the last page: those of the last.
template <class Row>
std::span<const Row> rows_of_page(const std::vector<Row>& all, BoardQuery& query, PageSpan& span) {
  query.page = std::min(query.page, page_span(all.size(), 0).num_pages);
  span = page_span(all.size(), query.page);
  return std::span(all).subspan(span.begin, span.end - span.begin);
}

// The table with the links to its pages, or what is said in its place.
page::Piece table_piece(const Table& table, const BoardQuery& query, const PageSpan& span,
                        std::string_view path) {
  if (table.rows.empty() && !is_filtered(query)) return page::paragraph(markup("{}.", table.hint));
  if (table.rows.empty())
    return page::paragraph(
        markup("{}: {}.", table.hint, link(address_of(unfiltered(query), path), "show all")));
  page::Piece piece = limit_piece(table), words = seeds_words(table);
  words += beyond_words(columns_of_page(table));
  piece += ranking_table(table, query, path);
  piece += words;
  piece += link_to_other_ranks(query, path);
  piece += words_link();
  piece += page_links(query, span, path);
  return piece;
}

void add_heuristics(std::vector<page::Section>& sections, const BoardView& view, BoardQuery query) {
  PageSpan span;
  const auto all = chosen_entries(*view.stand, query);
  const auto rows = rows_of_page(all, query, span);
  sections.front().body +=
      table_piece(entries_table(*view.stand, rows, query.together), query, span, board_path(view.board()));
  if (!rows.empty()) {
    sections.push_back({"compare", "Compare heuristics", compare_form(*view.stand, rows), true});
    sections.push_back({"gains", "Gains", page::plot(gains_plot(*view.stand, rows))});
  }
  sections.push_back({"cost", "Cost and gain", front_piece(*view.stand, rows)});
}

}  // namespace

std::string BoardView::key() const {
  return fmt::format("board {} {} of {} {} phase {}", board().id, board().revision, versions.front().version,
                     former == nullptr ? -1 : former->board.revision, int(phase_of(terms(), moment_now())));
}

std::string board_path(const Board& board) { return "/boards/" + percent_encoded(board.name); }

Html board_lead(const BoardView& view, const BoardQuery& query) {
  return markup(
      "{}, ranked by how much better a classifier of pictures becomes with each. {} · {} · {}",
      counted(view.stand->entries.size(), "heuristic"), link(csv_address(query, view.board(), ".csv"), "CSV"),
      link(csv_address(query, view.board(), ".json"), "JSON"),
      link(fmt::format("{}/front.svg?version={}", board_path(view.board()), view.board().version), "SVG"));
}

std::vector<page::Section> board_sections(const BoardView& view, const BoardQuery& query) {
  const std::string path = board_path(view.board());
  std::vector<page::Section> sections = {{"ranking", "Ranking", version_words(view)}};
  page::Piece& ranking = sections.front().body;
  ranking += figures(*view.stand);
  if (view.stand->entries.empty()) {
    ranking += page::paragraph(markup("Nothing stands on {} yet: {}.",
                                      view.versions.size() > 1 ? "this version of the board" : "this board",
                                      link("/submit", "submit the first heuristic")));
  } else {
    ranking += kinds_of_ranking(query, path);
    ranking += filters(view, query, path);
    if (query.by == BoardBy::kContributor)
      ranking += contributors_piece(view, query);
    else
      add_heuristics(sections, view, query);
  }
  sections.push_back({"measured", "What is measured", measured(view)});
  if (page::Piece about = terms_piece(view.terms()); !about.html.markup.empty())
    sections.insert(sections.begin(), {"about", "About this board", std::move(about)});
  return sections;
}

page::Piece contributors_piece(const BoardView& view, BoardQuery query) {
  PageSpan span;
  const auto all = chosen_contributors(*view.stand, query);
  const auto rows = rows_of_page(all, query, span);
  return table_piece(contributors_table(*view.stand, rows, query.together), query, span,
                     board_path(view.board()));
}

}  // namespace mash::server
