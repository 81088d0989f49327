// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/grades.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "framework/operations/site/admin.hpp"
#include "framework/records/accounts.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

Result<PointScale> scale_of(const Board& board, const std::optional<std::string>& points) {
  const std::string& text = points ? *points : board.terms.points;
  if (text.empty())
    return input_error(
        "board '{}': has no points for gains; expected them with it, or here, such as '1=1, 2=3, 5=6'",
        board.name);
  auto scale = PointScale::of_text(text);
  if (!scale.ok()) return scale.error().at("points");
  return scale;
}

// entries: by gain, the highest first, with the ranks of each.
Grade grade_of(const User& user, const PointScale& scale, const std::vector<BoardEntry>& entries,
               const std::vector<EntryRank>& ranks) {
  Grade grade{user.name};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const BoardEntry& entry = entries[i];
    const bool is_better = !grade.best || (entry.is_told() && !grade.best->is_told());
    if (entry.contributor != user.name || !is_better) continue;
    grade.best = entry;
    grade.copy_of = ranks[i].copy_of;
  }
  if (!grade.best) {
    grade.points = grade.points_low = grade.points_high = 0;
  } else if (grade.best->is_told()) {
    grade.points = scale.points_of(grade.best->gain);
    grade.points_low = scale.points_of(grade.best->low);
    grade.points_high = scale.points_of(grade.best->high);
  }
  return grade;
}

template <class Value>
Cell cell_of_maybe(const std::optional<Value>& value) {
  return value ? Cell(*value) : Cell();
}

// Whole points as people write them: 3, and not 3.0.
Cell cell_of_points(const std::optional<double>& points) {
  if (points && *points == std::floor(*points)) return std::int64_t(*points);
  return cell_of_maybe(points);
}

Json json_of_cell(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return *number;
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  return {};
}

std::vector<Cell> cells_of(const Grade& grade) {
  const BoardEntry* best = grade.best ? &*grade.best : nullptr;
  const bool is_told = best != nullptr && best->is_told();
  const auto text = [&](const std::string BoardEntry::*member) {
    return best != nullptr ? Cell(best->*member) : Cell();
  };
  const auto gain = [&](double BoardEntry::*member) { return is_told ? Cell(best->*member) : Cell(); };
  return {grade.contributor,
          grade.invited_as.empty() ? Cell() : Cell(grade.invited_as),
          text(&BoardEntry::heuristic),
          text(&BoardEntry::version),
          best != nullptr ? Cell(best->submission_id) : Cell(),
          best != nullptr ? Cell(best->finding) : Cell(),
          best != nullptr ? Cell(std::int64_t(best->num_seeds)) : Cell(),
          cell_of_maybe(grade.copy_of),
          gain(&BoardEntry::low),
          gain(&BoardEntry::gain),
          gain(&BoardEntry::high),
          cell_of_points(grade.points_low),
          cell_of_points(grade.points),
          cell_of_points(grade.points_high)};
}

}  // namespace

Result<Grades> read_grades(const RecordsReader& records, const std::string& board_name,
                           const std::optional<std::string>& points) {
  Grades grades;
  MASH_ASSIGN(grades.board, named_board(records, board_name));
  MASH_ASSIGN(grades.scale, scale_of(grades.board, points));
  MASH_ASSIGN(const auto entries, read_board_entries(records, grades.board.id));
  MASH_ASSIGN(const auto ranks, BoardRanks().ranks(records, grades.board, entries));
  MASH_ASSIGN(const auto users, list_users(records));
  for (const UserRow& row : users) {
    if (row.user.role != kContributorRole || row.user.is_closed()) continue;
    grades.rows.push_back(grade_of(row.user, grades.scale, entries, ranks));
    grades.rows.back().invited_as = row.invited_as;
  }
  MASH_ASSIGN(grades.unjudged, read_unjudged(records, grades.board.name));
  return grades;
}

std::vector<std::string> remarks_on(const Grades& grades) {
  const auto& [num_in_work, num_on_former] = grades.unjudged;
  const std::string& board = grades.board.name;
  std::vector<std::string> remarks;
  if (num_in_work > 0)
    remarks.push_back(fmt::format("{} of {} {} or {} judged: points may still change",
                                  counted(std::size_t(num_in_work), "submission"), board,
                                  num_in_work == 1 ? "waits" : "wait", num_in_work == 1 ? "is" : "are"));
  if (num_on_former > 0)
    remarks.push_back(fmt::format(
        "{} on a former version of {} only, without points here: mash server rerun {} judges {} again",
        counted(std::size_t(num_on_former), "heuristic stands", "heuristics stand"), board, board,
        num_on_former == 1 ? "it" : "them"));
  return remarks;
}

Table grades_table(const Grades& grades) {
  Table table{"Grades of the board " + grades.board.name,
              {{"contributor", "contributor"},
               {"invited_as", "invited as"},
               {"heuristic", "heuristic"},
               {"version", "version"},
               {"submission", "submission", Format::kCount},
               {"finding", "finding"},
               {"num_seeds", "seeds", Format::kCount},
               {"copy_of", "copy of", Format::kCount},
               {"gain_low", "gain, at least", Format::kDecimal},
               {"gain", "gain, % of the log-loss", Format::kDecimal},
               {"gain_high", "gain, at most", Format::kDecimal},
               {"points_low", "points, at least", Format::kDecimal},
               {"points", "points", Format::kDecimal},
               {"points_high", "points, at most", Format::kDecimal}},
              {},
              "there is no contributor yet"};
  for (const Grade& grade : grades.rows) table.rows.push_back(cells_of(grade));
  return table;
}

Json to_json(const Grades& grades) {
  const Table table = grades_table(grades);
  Json rows = Json::array();
  for (const auto& cells : table.rows) {
    Json& row = rows.emplace_back(Json::object());
    for (std::size_t i = 0; i < cells.size(); ++i) row[table.columns[i].key] = json_of_cell(cells[i]);
  }
  return {{"board", grades.board.name},
          {"version", grades.board.version},
          {"points", grades.scale.text()},
          {"num_in_work", grades.unjudged.num_in_work},
          {"num_on_former_versions", grades.unjudged.num_on_former},
          {"grades", std::move(rows)}};
}

}  // namespace mash
