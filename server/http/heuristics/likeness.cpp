// SPDX-License-Identifier: Apache-2.0
#include "server/http/heuristics/likeness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "framework/base/number.hpp"
#include "framework/records/site/copies.hpp"
#include "framework/render/wording.hpp"
#include "server/http/frame/intake.hpp"
#include "server/http/frame/layout.hpp"
#include "server/http/heuristics/source_view.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kMostPairs = 500;  // of a board
constexpr std::string_view kPath = "/operator/copies";

// Submissions that were read, without their sources.
class Names {
 public:
  explicit Names(const RecordsReader& records) : records_(records) {}
  Result<const Submission*> find(std::int64_t id) {
    auto known = known_.find(id);
    if (known == known_.end()) {
      MASH_ASSIGN(auto submission, find_submission(records_, id, SourceText::kLeftOut));
      if (!submission) return failure("submission {}: is not in the records", id);
      known = known_.emplace(id, *std::move(submission)).first;
    }
    return &known->second;
  }

 private:
  const RecordsReader& records_;
  std::map<std::int64_t, Submission> known_;
};

std::string name_in_words(const Submission& one) {
  return fmt::format("{} {} ({}, by {})", one.heuristic, one.version, one.id, one.contributor);
}

// "equal, to the bit", or the CKA.
std::string features_text(const KeptLikeness& pair) {
  if (pair.is_same) return "equal, to the bit";
  return pair.cka ? fmt::format("CKA {:.3f}", *pair.cka) : "not compared";
}

double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100 * double(part) / double(whole);
}

// The strongest evidence first.
double strength(const KeptLikeness& pair) {
  return pair.is_same ? 2 : std::max(pair.cka.value_or(0), pair.share_equal());
}

Result<page::Piece> pairs_piece(const Visit& visit, const Board& board) {
  MASH_ASSIGN(std::vector<KeptLikeness> pairs, read_likenesses(visit.records, board.name));
  MASH_ASSIGN(const std::size_t num_waiting, num_to_compare(visit.records, board.name));
  std::ranges::stable_sort(
      pairs, [](const KeptLikeness& a, const KeptLikeness& b) { return strength(a) > strength(b); });
  Table table{"Pairs",
              {{"later", "later"},
               {"earlier", "earlier"},
               {"features", "features"},
               {"equal", "equal tokens, % of the shorter source", Format::kDecimal},
               {"prints", "shared fingerprints", Format::kCount},
               {"evidence", "evidence"}},
              {},
              ""};
  Names names(visit.records);
  for (const KeptLikeness& pair : pairs) {
    if (table.rows.size() == kMostPairs) break;
    MASH_ASSIGN(const Submission* later, names.find(pair.submission_id));
    MASH_ASSIGN(const Submission* earlier, names.find(pair.other_id));
    table.rows.push_back({name_in_words(*later), name_in_words(*earlier), features_text(pair),
                          pair.is_compared ? Cell(100 * pair.share_equal()) : Cell(),
                          pair.is_compared ? Cell(std::int64_t(pair.num_shared)) : Cell(),
                          std::string("side by side")});
  }
  page::Piece body;
  if (num_waiting > 0)
    body += page::note(fmt::format("{} wait to be compared: a runner does it when it is idle.",
                                   counted(num_waiting, "submission")));
  if (table.rows.empty()) {
    body +=
        page::paragraph(markup("No two heuristics of this board are alike, as far as they are compared."));
    return body;
  }
  const page::TableLinks links{{}, [&](std::size_t row, std::size_t column) {
                                 const KeptLikeness& pair = pairs[row];
                                 if (column == 0) return fmt::format("/submissions/{}", pair.submission_id);
                                 if (column == 1) return fmt::format("/submissions/{}", pair.other_id);
                                 if (column != 5) return std::string();
                                 return fmt::format("{}?one={}&other={}", kPath, pair.submission_id,
                                                    pair.other_id);
                               }};
  body +=
      page::linked_table(table,
                         "Pairs of different heuristics, the most alike first. Figures are evidence; what "
                         "they mean is for people to say.",
                         links);
  if (pairs.size() > kMostPairs)
    body += page::note(fmt::format("The first {} of {} are shown.", kMostPairs, pairs.size()));
  return body;
}

page::Section how_section() {
  const std::vector<Html> items = {
      markup(
          "<b>Features</b>: equal to the bit on all training pictures; or the CKA (centred kernel alignment) "
          "of samples of both, on 1,000 training pictures. From .99 on reports call it a near copy. It is 1 "
          "for features that are the same up to order, scale and monotone changes of each."),
      markup(
          "<b>Tokens</b>: of C++, with all names taken for one, all numbers and all texts. Comments, blanks "
          "and includes are none. What the templates of <code>mash heuristic new</code> have counts for "
          "nothing."),
      markup(
          "<b>Equal tokens</b>: those in parts that both sources have, begun at shared fingerprints. A part "
          "of "
          "20 tokens or more is found wherever it stands (winnowing: Schleimer, Wilkerson and Aiken, 2003)."),
      markup("Two people who do the same thing well may write the same: short sources, loops over pixels and "
             "published formulas look alike. Look at the sources, and ask.")};
  return {"how", "What the figures are", page::list(items)};
}

Response show_pairs(const Visit& visit) {
  const auto boards = read_boards(visit.records);
  if (!boards.ok()) return failed(visit, boards.error());
  std::vector<std::string> ids, headings;
  for (const Board& board : *boards) {
    ids.push_back(fmt::format("board-{}", board.id));
    headings.push_back("Board " + board.name);
  }
  std::vector<page::Section> sections;
  for (std::size_t i = 0; i < boards->size(); ++i) {
    auto body = pairs_piece(visit, (*boards)[i]);
    if (!body.ok()) return failed(visit, body.error());
    sections.push_back({ids[i], headings[i], *std::move(body)});
  }
  sections.push_back(how_section());
  return site_page(visit, "Copies",
                   markup("What is alike among judged submissions. Operators alone see this. {}",
                          link("/operator", "Back")),
                   sections);
}

page::Piece figures_piece(const KeptLikeness& pair) {
  if (!pair.is_compared) return page::paragraph(markup("Features: {}.", features_text(pair)));
  Table table{"Figures",
              {{"figure", "figure"}, {"one", "first"}, {"other", "second"}},
              {{std::string("tokens that no template has"), fmt::format("{}", pair.num_tokens),
                fmt::format("{}", pair.num_other_tokens)},
               {std::string("of these in equal parts"),
                fmt::format("{} ({:.0f} %)", pair.num_equal, share(pair.num_equal, pair.num_tokens)),
                fmt::format("{} ({:.0f} %)", pair.num_equal, share(pair.num_equal, pair.num_other_tokens))},
               {std::string("fingerprints"), fmt::format("{}", pair.num_prints),
                fmt::format("{}", pair.num_other_prints)},
               {std::string("of these shared"),
                fmt::format("{} ({:.0f} %)", pair.num_shared, share(pair.num_shared, pair.num_prints)),
                fmt::format("{} ({:.0f} %)", pair.num_shared, share(pair.num_shared, pair.num_other_prints))},
               {std::string("features"), features_text(pair), features_text(pair)}},
              ""};
  return page::table(table, "What both have, as counts and as shares of each.");
}

Response show_pair(const Visit& visit, std::int64_t one_id, std::int64_t other_id) {
  const auto pair = find_likeness(visit.records, one_id, other_id);
  if (!pair.ok()) return failed(visit, pair.error());
  if (!pair->has_value()) return not_found(visit);
  const auto one = find_submission(visit.records, (*pair)->submission_id);
  if (!one.ok()) return failed(visit, one.error());
  const auto other = find_submission(visit.records, (*pair)->other_id);
  if (!other.ok()) return failed(visit, other.error());
  if (!one->has_value() || !other->has_value()) return not_found(visit);
  const std::string name = name_in_words(**one), other_name = name_in_words(**other);
  Side side{name, (*one)->source, {}}, other_side{other_name, (*other)->source, {}};
  for (const LikePart& part : (*pair)->parts) {
    side.parts.push_back({part.first, part.last});
    other_side.parts.push_back({part.other_first, part.other_last});
  }
  const std::string marked =
      !(*pair)->is_compared ? std::string("The sources are not compared.")
      : (*pair)->parts.empty()
          ? std::string("No part of 20 tokens is in both.")
          : fmt::format(
                "{} in both, except for names, numbers and texts; the number beside a part leads to the "
                "other side.",
                counted((*pair)->parts.size(), "part is", "parts are"));
  page::Piece sources = page::note(marked);
  sources += sides_piece(side, other_side);
  const page::Section sections[] = {{"figures", "Figures", figures_piece(**pair)},
                                    {"sources", "Both sources", std::move(sources)},
                                    how_section()};
  return site_page(visit, "Side by side",
                   markup("{}, handed in on {}, and {}, handed in on {}. {}", name, (*one)->received_at,
                          other_name, (*other)->received_at, link(kPath, "All pairs")),
                   sections);
}

}  // namespace

Response show_copies(Visit& visit, const Parts&) {
  const auto who = holder(visit, Scope::kOperate);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  const auto one = visit.request.value("one"), other = visit.request.value("other");
  if (one.empty() && other.empty()) return show_pairs(visit);
  const auto one_id = whole_number_in(one), other_id = whole_number_in(other);
  if (!one_id || !other_id) return not_found(visit);
  return show_pair(visit, *one_id, *other_id);
}

}  // namespace mash::server
