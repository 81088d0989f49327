// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/frame/visit.hpp"

// Submissions, as the pages and the API share them.
namespace mash::server {

// The board where none is named: of those that are open the oldest; where none is, the oldest. REQUIRES: a
// board.
const Board& usual_board(const std::vector<Board>& boards);

// A submission as it was handed in.
struct Handed {
  std::string file_name, source, licence, board;  // board: empty: usual_board
  std::string request_key = {};                   // the same key again means the same submission; empty: none
  bool is_private = false;
  std::vector<SubmissionSetting> settings = {};
};

// The settings of a line, "levels=8, grid=3"; empty: none. Errors (kInput): a part has no '='.
Result<std::vector<SubmissionSetting>> settings_of_line(std::string_view line);

// Why it is not taken: 422 says which key, 409 that the board is not open, 429 that a quota or the attempts
// of a day are used up, 503 that the server cannot now.
struct NotTaken {
  int status = 422;
  std::string why;
  std::int64_t retry_seconds = 0;  // until it may be taken; 0: nobody knows
};
// As a page or as {"error"}.
Response refusal(const Visit& visit, const NotTaken& not_taken);

// Keeps it for this user, under the name that `source_name_of` gives its file. Returns its number.
std::variant<std::int64_t, NotTaken> hand_in(Visit& visit, const User& user, const Handed& handed);

struct Quota {
  double seconds = 0, used = 0;
  double taken = 0;              // with what failed by the server's fault
  std::int64_t num_waiting = 0;  // submissions that are not final
};
Result<Quota> quota_of(Visit& visit, const User& user);

// Runners' time as it is told, rounded up to 10, 20, 50, 100, ... seconds: exactly, it would tell of hidden
// pictures, because a heuristic may take longer on some of them.
double shown_seconds(double seconds);

// The name that people know it by: its heuristic's id, or its file until that is known.
std::string name_of(const Submission& submission);

bool is_judged(const Submission& submission);  // published, or superseded later

// Whether the visitor may see it.
bool may_see(const Visit& visit, const Submission& submission);
// The submission of that number; nothing, as if there were none, where the visitor may not see it.
Result<std::optional<Submission>> visible_submission(const Visit& visit, std::string_view number,
                                                     SourceText text = SourceText::kLeftOut);

// The submission without its source, for those who may change it: its contributor or an operator, with a
// token that lets them submit; else the answer.
std::variant<Submission, Response> own_submission(const Visit& visit, std::string_view number);
// Cancels a submission that the visitor may change. Errors: those of cancel_submission.
Status cancel_for(Visit& visit, const Submission& submission);

}  // namespace mash::server
