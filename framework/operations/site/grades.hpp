// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/point_scale.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/submissions.hpp"
#include "framework/render/table.hpp"

// Points of the contributors to a board (docs/operations.md says how they follow from gains).
namespace mash {

struct Grade {
  std::string contributor;
  std::string invited_as = {};               // the name of the invitation; empty: none, or without a name
  std::optional<BoardEntry> best = {};       // of their heuristics on the board; nothing: there is none
  std::optional<std::int64_t> copy_of = {};  // of another heuristic, which had its features first
  // Points of the gain, and of both ends of its interval. Nothing: no gain may be told.
  std::optional<double> points = {}, points_low = {}, points_high = {};
};

struct Grades {
  Board board;
  PointScale scale;
  std::vector<Grade> rows;  // of all contributors whose account is not closed, by name
  UnjudgedWork unjudged = {};
};

// The grades of a board's newest version. points: in place of the board's; nothing: those. Errors (kInput):
// there is no such board, it has no points and none are given, or they are no scale.
Result<Grades> read_grades(const RecordsReader& records, const std::string& board_name,
                           const std::optional<std::string>& points);

// Why points may still change or are missing, a sentence each: "3 submissions of digits wait or are judged:
// points may still change". Empty: all that was handed in is judged.
std::vector<std::string> remarks_on(const Grades& grades);

Table grades_table(const Grades& grades);
nlohmann::ordered_json to_json(const Grades& grades);

}  // namespace mash
