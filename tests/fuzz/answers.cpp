// SPDX-License-Identifier: Apache-2.0
// Documents of a server, which may be anybody's, as `mash submit` and `mash submissions` show them.
#include "framework/operations/site/client.hpp"
#include "framework/operations/site/documents.hpp"
#include "tests/fuzz/target.hpp"

namespace mash::fuzz {

bool take(std::string_view input) {
  const auto document = parse_json<nlohmann::ordered_json>(input, kBoundsOfAnAnswer);
  if (!is_taken(document)) return false;
  MASH_PROMISE(is_utf8(describe_submission(*document)) && is_utf8(describe_event(*document)));
  if (const Status published = how_it_ended(*document); !published.ok())
    MASH_PROMISE(is_utf8(published.error().message));
  MASH_PROMISE(is_utf8(render_text(submissions_table(*document))));
  const Table leaderboard = leaderboard_table(*document);
  for (const std::string& text : {render_text(leaderboard), render_markdown(leaderboard),
                                  render_json(leaderboard), render_csv(leaderboard)})
    MASH_PROMISE(is_utf8(text));
  if (const auto rank = rank_of(*document, 7)) MASH_PROMISE(is_utf8(*rank));
  return true;
}

std::vector<std::string> seeds() {
  return {
      R"({"id": 7, "heuristic": "ada/rows", "contributor": "ada", "file_name": "rows.cpp", "state": )"
      R"("published", "is_final": true, "judgement": {"gain": 0.51, "gain_ci95": 0.03, "finding": "adds", )"
      R"("num_seeds": 16}, "events": [{"id": 3, "state": "judging", "text": "8 of 16 seeds", "at": "now"}]})",
      R"({"id": 1e300, "state": "published", "judgement": {"gain": 1e300, "num_seeds": -3, "num_features": 1e300}})",
      R"({"submissions": [{"id": 1, "file_name": "a.cpp", "state": "failed", "received_at": "today"}]})",
      R"({"title": "digits", "columns": [{"key": "rank", "title": "rank"}, {"key": "gain", "title": "gain"}, )"
      R"({"key": "gain_ci95", "title": ""}], "rows": [{"rank": "1", "gain": 0.5, "gain_ci95": 0.1, )"
      R"("submission": 7}]})"};
}

}  // namespace mash::fuzz
