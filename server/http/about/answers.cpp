// SPDX-License-Identifier: Apache-2.0
#include "server/http/about/answers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "framework/base/bounded_json.hpp"
#include "framework/base/number.hpp"
#include "framework/base/percent.hpp"
#include "framework/base/without_places.hpp"
#include "framework/records/site/known_pictures.hpp"
#include "framework/render/wording.hpp"
#include "server/http/boards/facts.hpp"
#include "server/http/boards/pages.hpp"
#include "server/http/frame/layout.hpp"

namespace mash::server {
namespace {

constexpr std::string_view kTraining = "experiment.html", kTrainingJson = "experiment.json",
                           kUncovered = "uncovered.html", kUncoveredJson = "uncovered.json",
                           kDataset = "dataset.json", kResolution = "resolution.json";

std::string experiment_path(const Board& board) { return "/experiments/" + percent_encoded(board.name); }

// A page that a runner wrote of a board, as it is, with links back. back: whose page leads to it.
Response board_page(const Visit& visit, const Board& board, std::string_view name, const Html& back) {
  auto content = find_board_page(visit.records, board.id, std::string(name));
  if (!content.ok()) return failed(visit, content.error());
  if (!content->has_value()) return not_found(visit);
  if (name.ends_with(".json")) return {200, "application/json", **std::move(content)};
  return whole_page(with_way_back(**std::move(content), "Board",
                                  markup("{} · {}", back, link(board_path(board), "Board " + board.name))));
}

Result<bool> has_page(const Visit& visit, const Board& board, std::string_view name) {
  return has_board_page(visit.records, board.id, std::string(name));
}

page::Piece no_boards() { return page::paragraph(markup("There is no board yet.")); }

// The boards in their newest versions, each with a section; `piece`: what it says of a board.
template <class Piece>
Response page_of_boards(const Visit& visit, std::string_view heading, const Html& lead,
                        std::vector<page::Section> sections, const Piece& piece) {
  const auto boards = read_boards(visit.records);
  if (!boards.ok()) return failed(visit, boards.error());
  std::vector<std::string> ids;
  for (std::size_t i = 1; i <= boards->size(); ++i) ids.push_back(fmt::format("board-{}", i));
  if (boards->empty()) sections.insert(sections.begin(), page::Section{"boards", "Boards", no_boards()});
  for (std::size_t i = 0; i < boards->size(); ++i) {
    auto body = piece((*boards)[i]);
    if (!body.ok()) return failed(visit, body.error());
    sections.insert(sections.begin() + std::ptrdiff_t(i),
                    page::Section{ids[i], (*boards)[i].name, *std::move(body)});
  }
  return site_page(visit, heading, lead, sections);
}

Result<page::Piece> versions_piece(const Visit& visit, const Board& board) {
  MASH_ASSIGN(const std::vector<Board> versions, read_board_versions(visit.records, board.name));
  Table table{"Versions",
              {{"version", "version", Format::kCount},
               {"created_at", "since (UTC)"},
               {"num_seeds", "seeds", Format::kCount},
               {"ladder_step", "step of the Ladder, %", Format::kDecimal}},
              {},
              ""};
  for (const Board& version : versions)
    table.rows.push_back({version.version, version.created_at, std::int64_t(version.num_seeds),
                          version.ladder_step == kPlaceboStep ? Cell(std::string(kPlaceboWord))
                          : version.ladder_step > 0           ? Cell(version.ladder_step)
                                                              : Cell()});
  const page::TableLinks links{{}, [&](std::size_t row, std::size_t column) {
                                 return column > 1 ? std::string()
                                                   : fmt::format("{}?version={}", experiment_path(board),
                                                                 versions[row].version);
                               }};
  page::Piece body =
      page::paragraph(markup("{} · {}", link(experiment_path(board), "Its settings and its training"),
                             link(board_path(board), "The board")));
  body += page::linked_table(table, "Versions of the board " + board.name + ", the newest first.", links);
  return body;
}

// The version of the board that is asked for; nothing where there is none.
Result<std::optional<Board>> asked_board(const Visit& visit, const std::string& name) {
  MASH_ASSIGN(const std::vector<Board> versions, read_board_versions(visit.records, name));
  const auto asked = visit.request.value("version");
  if (asked.empty()) return versions.empty() ? std::optional<Board>() : std::optional(versions.front());
  const auto found = std::ranges::find_if(
      versions, [&](const Board& board) { return whole_number_in(asked) == std::optional(board.version); });
  return found == versions.end() ? std::optional<Board>() : std::optional(*found);
}

page::Piece settings_piece(const Board& board) {
  page::Piece body = page::code("Experiment", without_places(board.experiment));
  body += page::paragraph(markup(
      "Contributions are offered beside the heuristics that it names, with {} seeds. {}", board.num_seeds,
      board.ladder_step == 0 ? std::string("Gains are shown as they were measured.")
                             : fmt::format("Gains are released in steps of {} (the Ladder).",
                                           ladder_step_in_words(board.ladder_step))));
  return body;
}

Result<page::Piece> training_piece(const Visit& visit, const Board& board) {
  MASH_ASSIGN(const bool has_training, has_page(visit, board, kTraining));
  MASH_ASSIGN(const bool has_json, has_page(visit, board, kTrainingJson));
  if (!has_training)
    return page::paragraph(
        markup("The page of its training is not there yet: a runner makes it when it is idle."));
  const std::string path = fmt::format("{}?version={}&page=training", experiment_path(board), board.version);
  return page::paragraph(markup(
      "The board's own heuristics were trained as the settings say. {}: its curves, which classes are "
      "confused, and what each family adds{}.",
      link(path, "The training"), has_json ? markup(" ({})", link(path + ".json", "as JSON")) : Html{}));
}

Response experiment_page(const Visit& visit, const Board& board) {
  const auto training = training_piece(visit, board);
  if (!training.ok()) return failed(visit, training.error());
  const auto versions = versions_piece(visit, board);
  if (!versions.ok()) return failed(visit, versions.error());
  const std::vector<page::Section> sections = {{"settings", "Settings", settings_piece(board)},
                                               {"training", "Training", *training},
                                               {"versions", "Versions", *versions}};
  return site_page(
      visit, "Experiment " + board.name,
      markup("What contributions to {} are measured by. Version {}, since {}.",
             link(board_path(board), "the board " + board.name), board.version, board.created_at),
      sections);
}

page::Section parts_section() {
  const std::vector<Html> items = {
      markup("<b>Training side</b>: what models are trained on."),
      markup("<b>Held-out part</b>, a sixth of the training side: the report of a heuristic trains on the "
             "rest and judges by these pictures. It shows some of them, so that its contributor sees where "
             "it helps."),
      markup("<b>Public part</b> of the test side, about half: for trying a heuristic at home, and for the "
             "errors of the board's own training. This server judges no submission by it."),
      markup("<b>Private part</b> of the test side, the other half: what the rank is measured by. "
             "This server shows its pictures, and what a heuristic says "
             "while it works on them, to nobody, neither on its pages nor by the API. Where the data are "
             "generated or published, as the board says below, anybody can have them from elsewhere.")};
  page::Piece body = page::list(items);
  body += page::paragraph(
      markup("A hash of each picture, or of its group where pictures have groups such as fonts or films, "
             "says in which part it is. So equal pictures are always in the same part."));
  return {"parts", "Which part is for what", std::move(body)};
}

// The differences that the board can tell apart, in words; nothing where that could not be measured.
page::Piece resolution_piece(std::string_view document) {
  const auto json = parse_json<Json>(document, kOurOwnJson);
  if (!json.ok() || !json->contains("words") || !(*json)["words"].is_string()) return {};
  return page::paragraph(markup("{}", (*json)["words"].get<std::string>()));
}

Result<page::Piece> dataset_piece(const Visit& visit, const Board& board) {
  MASH_ASSIGN(const auto document, find_board_page(visit.records, board.id, std::string(kDataset)));
  page::Piece body;
  if (document) body = facts_piece(*document, "The data set of the board " + board.name + ".");
  if (body.html.markup.empty())
    body = page::code("Data set", dataset_lines(without_places(board.experiment)));
  MASH_ASSIGN(const auto resolution, find_board_page(visit.records, board.id, std::string(kResolution)));
  if (resolution) body += resolution_piece(*resolution);
  if (const std::string_view known = known_to_all(board); !known.empty())
    body += page::paragraph(markup("{}.", capitalized(std::string(known))));
  body += page::paragraph(markup("{} · {}", link(board_path(board), "The board"),
                                 link(experiment_path(board), "The whole experiment")));
  return body;
}

Result<page::Piece> uncovered_piece(const Visit& visit, const Board& board) {
  MASH_ASSIGN(const bool is_there, has_page(visit, board, kUncovered));
  if (!is_there)
    return page::paragraph(
        markup("These pictures are not found yet: a runner looks for them when it is idle."));
  const std::string path = fmt::format("/uncovered?board={}&page=pictures", percent_encoded(board.name));
  return page::paragraph(markup("{} ({}).",
                                link(path, "Pictures of " + board.name + " that every family misses"),
                                link(path + ".json", "as JSON")));
}

}  // namespace

Response show_experiments(Visit& visit, const Parts&) {
  return page_of_boards(
      visit, "Experiments",
      markup("What contributions are offered beside. Another experiment, number of seeds or step is a new "
             "version of a board; what was judged by a former one stays there."),
      {}, [&](const Board& board) { return versions_piece(visit, board); });
}

Response show_experiment(Visit& visit, const Parts& parts) {
  const auto board = asked_board(visit, parts[0]);
  if (!board.ok()) return failed(visit, board.error());
  if (!board->has_value()) return not_found(visit);
  const auto page = visit.request.value("page");
  if (page.empty()) return experiment_page(visit, **board);
  const Html back = link(fmt::format("{}?version={}", experiment_path(**board), (*board)->version),
                         "Back to the experiment " + (*board)->name);
  if (page == "training") return board_page(visit, **board, kTraining, back);
  if (page == "training.json") return board_page(visit, **board, kTrainingJson, back);
  return not_found(visit);
}

Response show_datasets(Visit& visit, const Parts&) {
  return page_of_boards(visit, "Data sets",
                        markup("The pictures of each board, and which part of them is used for what."),
                        {parts_section()}, [&](const Board& board) { return dataset_piece(visit, board); });
}

Response show_uncovered(Visit& visit, const Parts&) {
  const auto page = visit.request.value("page");
  if (page.empty()) {
    const page::Section how{
        "how", "How to use it",
        page::paragraph(
            markup("Look for what the pictures of a group have in common: a stroke that is too thin, a part "
                   "that is hidden, a texture. Write a heuristic that measures just that, {}, and read in "
                   "its report whether it helps on these pictures. It need not be good at anything else: "
                   "what it adds beside the others counts. All pictures here are of the held-out part of the "
                   "training side, so looking at them gives nothing of the ranking away.",
                   link("/submit", "hand it in")))};
    return page_of_boards(visit, "Pictures nobody gets right",
                          markup("Pictures that all heuristics of a board get wrong, grouped by likeness: "
                                 "where a new one can gain most."),
                          {how}, [&](const Board& board) { return uncovered_piece(visit, board); });
  }
  if (page != "pictures" && page != "pictures.json") return not_found(visit);
  const auto board = asked_board(visit, std::string(visit.request.value("board")));
  if (!board.ok()) return failed(visit, board.error());
  if (!*board) return not_found(visit);
  return board_page(visit, **board, page == "pictures" ? kUncovered : kUncoveredJson,
                    link("/uncovered", "Back to the pictures nobody gets right"));
}

}  // namespace mash::server
