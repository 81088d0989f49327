// SPDX-License-Identifier: Apache-2.0
#include "server/http/boards/terms.hpp"

#include <fmt/format.h>

#include "framework/base/percent.hpp"
#include "framework/base/point_scale.hpp"
#include "framework/base/utc_time.hpp"
#include "framework/render/wording.hpp"
#include "server/http/frame/layout.hpp"

namespace mash::server {
namespace {

// "1 from a gain of 0 %, 3 from 2 %; none below"
std::string points_in_words(const std::string& text) {
  const auto scale = PointScale::of_text(text);
  std::string words;
  if (!scale.ok()) return words;
  for (const PointScale::Step& step : scale->steps())
    words += fmt::format("{}{} from {}{} %", words.empty() ? "" : ", ", step.points,
                         words.empty() ? "a gain of " : "", step.gain);
  return words + "; none below";
}

page::Piece phase_headline(const BoardTerms& terms) {
  switch (phase_of(terms, moment_now())) {
    case BoardPhase::kNotYetOpen:
      return page::headline(
          fmt::format("Opens on {}: nothing is taken before.", moment_in_words(terms.opens_at)), "open");
    case BoardPhase::kClosed:
      return page::headline(
          fmt::format("Closed on {}: nothing more is taken.", moment_in_words(terms.closes_at)), "bad");
    case BoardPhase::kOpen: break;
  }
  return {};
}

// Attempts of the visitor on a board that bounds them; nothing for those who have not logged in.
Result<page::Piece> attempts_piece(const Visit& visit, const Board& board) {
  if (board.terms.attempts_a_day == 0 || !visit.who) return page::Piece{};
  MASH_ASSIGN(const BoardIntake intake, read_intake(visit.records, visit.who->user.id, board));
  const std::int64_t most = board.terms.attempts_a_day;
  const std::string used =
      intake.num_attempts > most  // the board took more of them then
          ? fmt::format("You used {} attempts in the last 24 hours; {} {} taken now.", intake.num_attempts,
                        most, most == 1 ? "is" : "are")
          : fmt::format("You used {} of {} attempts in the last 24 hours.", intake.num_attempts, most);
  return page::paragraph(
      markup("{}{}", used,
             intake.next_attempt_at.empty()
                 ? std::string()
                 : fmt::format(" {}.", capitalized(next_attempt_in_words(board.terms, intake)))));
}

}  // namespace

std::string board_heading(const Board& board) {
  return fmt::format("Board {}{}{}", board.name, board.terms.title.empty() ? "" : ": ", board.terms.title);
}

page::Piece terms_piece(const BoardTerms& terms) {
  page::Piece piece = phase_headline(terms);
  if (!terms.notice.empty()) piece += page::paragraph(markup("{}", terms.notice));
  std::vector<Html> items;
  if (!terms.opens_at.empty()) items.push_back(markup("<b>Opens</b>: {}", moment_in_words(terms.opens_at)));
  if (!terms.closes_at.empty())
    items.push_back(markup("<b>Closes</b>: {}. What was handed in before is still judged.",
                           moment_in_words(terms.closes_at)));
  if (terms.attempts_a_day > 0)
    items.push_back(
        markup("<b>Attempts</b>: {} of each contributor in 24 hours. What does not compile, has "
               "an id that is taken, or fails a check before its features are computed, does not count.",
               terms.attempts_a_day));
  if (!terms.points.empty())
    items.push_back(markup("<b>Points</b>: {}. The best heuristic of each contributor counts.",
                           points_in_words(terms.points)));
  if (!terms.contact.empty()) items.push_back(markup("<b>Contact</b>: {}", terms.contact));
  if (!items.empty()) piece += page::list(items);
  return piece;
}

page::Piece boards_list(std::span<const Board> boards) {
  std::vector<Html> items;
  for (const Board& board : boards) {
    const std::string times = times_in_words(board.terms, moment_now());
    items.push_back(markup("{}{}{}", link("/boards/" + percent_encoded(board.name), board_heading(board)),
                           times.empty() ? "" : " · ", times));
  }
  return page::list(items);
}

Result<page::Piece> intake_piece(const Visit& visit, std::span<const Board> boards) {
  page::Piece all;
  for (const Board& board : boards) {
    page::Piece piece = terms_piece(board.terms);
    MASH_ASSIGN(const page::Piece attempts, attempts_piece(visit, board));
    piece += attempts;
    if (piece.html.markup.empty()) continue;
    if (boards.size() > 1 || !board.terms.title.empty()) all += page::heading(board_heading(board));
    all += piece;
  }
  return all;
}

}  // namespace mash::server
