// SPDX-License-Identifier: Apache-2.0
#include "server/http/heuristics/feed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "framework/base/hash.hpp"
#include "framework/render/html.hpp"
#include "framework/render/wording.hpp"
#include "server/http/boards/tables.hpp"
#include "server/http/frame/intake.hpp"
#include "server/http/heuristics/history.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kMostEntries = 50;
constexpr std::size_t kRowsAtOnce = 200, kMostRows = 2000;  // that are looked through for them

// Names that stay the same wherever the server is, and are nobody else's (RFC 9562, of a hash).
std::string name_of(std::string_view kind, std::string_view text) {
  const std::string hex = sha256(fmt::format("mash {} {}", kind, text));
  return fmt::format("urn:uuid:{}-{}-8{}-8{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 3),
                     hex.substr(15, 3), hex.substr(18, 12));
}

struct Publication {
  Submission submission;
  BoardEntry judged;
};

// Whether it is another run on the same version of the board, which says nothing new.
Result<bool> is_repeat(const Visit& visit, const Submission& submission) {
  if (!submission.rerun_of) return false;
  MASH_ASSIGN(const auto first, find_submission(visit.records, *submission.rerun_of, SourceText::kLeftOut));
  return first && first->board_id == submission.board_id;
}

// The latest first.
Result<std::vector<Publication>> read_publications(const Visit& visit) {
  std::vector<Publication> publications;
  SubmissionFilter filter;
  filter.most = kRowsAtOnce;
  for (std::size_t num_rows = 0; num_rows < kMostRows; num_rows += kRowsAtOnce) {
    MASH_ASSIGN(const auto submissions, read_submissions(visit.records, filter));
    for (const Submission& one : submissions) {
      if (publications.size() == kMostEntries) return publications;
      if (!is_judged(one) || !one.removed_why.empty()) continue;
      MASH_ASSIGN(const bool is_known, is_repeat(visit, one));
      if (is_known) continue;
      MASH_ASSIGN(const auto judged, find_judged(visit.records, one.id));
      if (judged) publications.push_back({one, *judged});
    }
    if (submissions.size() < kRowsAtOnce) break;
    filter.before_id = submissions.back().id;
  }
  return publications;
}

Html entry_of(const Publication& publication, std::string_view url, std::string_view board) {
  const auto& [submission, judged] = publication;
  return markup(
      "<entry>\n<title>{} {} on {}: "
      "{}</title>\n<id>{}</id>\n<updated>{}</updated>\n<published>{}</published>\n"
      "<author><name>{}</name></author>\n<link rel=\"alternate\" type=\"text/html\" href=\"{}{}\"/>\n"
      "<summary>{}. Finding: {}, {} of the log-loss ({}). Licence: {}.</summary>\n</entry>\n",
      judged.heuristic, judged.version, board, gain_text(judged),
      name_of("submission",
              fmt::format("{} {} {}", submission.id, submission.source_sha256, submission.received_at)),
      judged.judged_at, judged.judged_at, judged.contributor, url, heuristic_path(judged.heuristic),
      judged.summary.empty() ? judged.heuristic : judged.summary, finding_in_words(judged), gain_text(judged),
      kHalfInterval, judged.licence);
}

// Since when there is a board, and what makes this feed one of its own.
struct Beginning {
  std::string id, at;
};
Result<Beginning> beginning(const Visit& visit) {
  MASH_ASSIGN(const auto boards, read_boards(visit.records));
  if (boards.empty()) return Beginning{name_of("feed", ""), "1970-01-01T00:00:00Z"};
  MASH_ASSIGN(const auto versions, read_board_versions(visit.records, boards.front().name));
  const Board& first = versions.back();
  return Beginning{name_of("feed", first.name + " " + first.created_at), first.created_at};
}

}  // namespace

Response show_feed(Visit& visit, const Parts&) {
  const auto publications = read_publications(visit);
  if (!publications.ok()) return failed(visit, publications.error());
  const auto began = beginning(visit);
  if (!began.ok()) return failed(visit, began.error());
  const std::string url = site_url(visit);
  std::map<std::int64_t, std::string> names;  // of boards, by the id of their version
  std::string updated = began->at;
  Html entries;
  for (const Publication& publication : *publications) {
    const std::int64_t board_id = publication.submission.board_id;
    if (!names.contains(board_id)) {
      const auto board = find_board(visit.records, board_id);
      if (!board.ok()) return failed(visit, board.error());
      names.emplace(board_id, *board ? (*board)->name : std::string());
    }
    updated = std::max(updated, publication.judged.judged_at);
    entries += entry_of(publication, url, names[board_id]);
  }
  Response response{200, "application/atom+xml; charset=utf-8"};
  response.body =
      markup(
          "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" "
          "xml:lang=\"en\">\n<title>MASH: heuristics that were published</title>\n<id>{}</id>\n"
          "<updated>{}</updated>\n<link rel=\"self\" href=\"{}/feed.atom\"/>\n<link rel=\"alternate\" "
          "type=\"text/html\" href=\"{}/\"/>\n<author><name>MASH</name></author>\n{}</feed>\n",
          began->id, updated, url, url, entries)
          .markup;
  response.headers.emplace_back("Cache-Control", "max-age=300");
  return response;
}

}  // namespace mash::server
