// SPDX-License-Identifier: Apache-2.0
#include "server/http/accounts/told.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "framework/base/bounded_json.hpp"
#include "framework/records/site/answers.hpp"
#include "framework/records/site/known_pictures.hpp"
#include "framework/render/wording.hpp"

namespace mash::server {
namespace {

// The private part as the page of the board's data tells it; nothing where no runner has made that yet.
Result<std::optional<PrivatePart>> private_part(const Visit& visit, const Board& board) {
  MASH_ASSIGN(const auto page, find_board_page(visit.records, board.id, "dataset.json"));
  const Json facts = parse_object<Json>(page.value_or("{}"));
  const Json num_pictures = facts.value("num_test_private", Json()), classes = facts.value("classes", Json());
  if (!num_pictures.is_number_unsigned() || !classes.is_array()) return std::optional<PrivatePart>();
  const PrivatePart part{num_pictures.get<std::size_t>(), classes.size()};
  if (part.num_pictures == 0 || part.num_classes < 2) return std::optional<PrivatePart>();
  return std::optional(part);
}

Cell rounded_up(double bits) { return Cell(std::int64_t(std::ceil(bits))); }

// Counts are known; bits where the private part is.
Result<std::vector<Cell>> told_row(const Visit& visit, const Board& board) {
  MASH_ASSIGN(const ToldCounts counts, read_told(visit.records, board));
  MASH_ASSIGN(const auto part, private_part(visit, board));
  std::vector<Cell> row{board.name, board.version, std::int64_t(counts.num_shown),
                        std::int64_t(counts.answers.size())};
  if (!part) {
    row.insert(row.end(), 5, Cell());
    return row;
  }
  const ToldBits bits = told_bits(counts, board.ladder_step != 0, *part);
  for (const double one : {bits.outcomes, bits.gains, bits.ranks, bits.total(), bits_of_labels(*part)})
    row.push_back(rounded_up(one));
  return row;
}

}  // namespace

Result<page::Section> told_section(const Visit& visit) {
  Table table{"Told of private parts",
              {{"board", "board"},
               {"version", "version", Format::kCount},
               {"shown", "submissions that saw it", Format::kCount},
               {"answers", "gains told", Format::kCount},
               {"outcomes", "bits of outcomes", Format::kCount},
               {"gains", "bits of gains", Format::kCount},
               {"ranks", "bits of ranks", Format::kCount},
               {"total", "bits at most", Format::kCount},
               {"labels", "bits of its labels", Format::kCount}},
              {},
              ""};
  MASH_ASSIGN(const auto boards, read_boards(visit.records));
  for (const Board& board : boards) {
    MASH_ASSIGN(const auto versions, read_board_versions(visit.records, board.name));
    for (const Board& version : versions) {
      MASH_ASSIGN(auto row, told_row(visit, version));
      table.rows.push_back(std::move(row));
    }
  }
  if (table.rows.empty())
    return page::Section{"told", "What was told of private parts",
                         page::paragraph(markup("There is no board yet."))};
  page::Piece body = page::table(
      table,
      "An upper bound of what all public answers together may have given away. Each answer tells at most the "
      "logarithm (of base 2) of the number of different values that could have been told in its place.");
  body += page::note(
      "A dash: the page of the board's data is not made yet. Versions of a board that judge by the same "
      "pictures "
      "add up. The bits of the labels are what it would take to know the class of every private picture. The "
      "moments of steps, and the difference that the board can tell apart, are not counted. The errors of "
      "its own training are of the public part.");
  for (const Board& board : boards)
    if (const std::string known = remark_on_known_pictures(board); !known.empty())
      body += page::paragraph(markup("{}.", capitalized(known)));
  return page::Section{"told", "What was told of private parts", std::move(body)};
}

}  // namespace mash::server
