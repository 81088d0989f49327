// SPDX-License-Identifier: Apache-2.0
#include "server/http/heuristics/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "framework/render/wording.hpp"
#include "server/http/boards/tables.hpp"
#include "server/http/frame/intake.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kMostVersions = 200;  // the newest

// All submissions of its owner that the visitor may see, and whose heuristic it is. It belongs to the first
// who published it, on any board; nothing where none was judged: until then a name is nobody's.
Result<std::vector<Submission>> read_versions(const Visit& visit, const std::string& id) {
  SubmissionFilter filter;
  filter.heuristic = id;
  filter.with_private = true;
  filter.most = kMostVersions;
  MASH_ASSIGN(std::vector<Submission> submissions, read_submissions(visit.records, filter));
  const auto judged = std::find_if(submissions.rbegin(), submissions.rend(), is_judged);
  if (judged == submissions.rend()) return std::vector<Submission>();
  const std::int64_t owner = judged->user_id;
  std::erase_if(submissions,
                [&](const Submission& one) { return one.user_id != owner || !may_see(visit, one); });
  return submissions;
}

// All versions of all boards, by their ids.
Result<std::map<std::int64_t, Board>> boards_by_id(const Visit& visit, const std::vector<Board>& newest) {
  std::map<std::int64_t, Board> boards;
  for (const Board& board : newest) {
    MASH_ASSIGN(const std::vector<Board> versions, read_board_versions(visit.records, board.name));
    for (const Board& version : versions) boards.emplace(version.id, version);
  }
  return boards;
}

Result<std::vector<HeuristicVersion>> versions_of(const Visit& visit, std::vector<Submission> submissions,
                                                  const std::map<std::int64_t, Board>& boards) {
  std::map<std::int64_t, std::int64_t> board_ids;  // of submissions
  for (const Submission& one : submissions) board_ids.emplace(one.id, one.board_id);
  std::vector<HeuristicVersion> versions;
  for (Submission& submission : submissions) {
    HeuristicVersion version{std::move(submission)};
    const Submission& one = version.submission;
    if (is_judged(one)) {
      MASH_ASSIGN(version.judged, find_judged(visit.records, one.id));
    }
    const auto board = boards.find(one.board_id);
    if (board != boards.end()) {
      version.board = board->second.name;
      version.board_version = board->second.version;
    }
    const auto first = one.rerun_of ? board_ids.find(*one.rerun_of) : board_ids.end();
    version.is_repeat = first != board_ids.end() && first->second == one.board_id;
    versions.push_back(std::move(version));
  }
  return versions;
}

Result<std::optional<HeuristicPlace>> place_on(const Visit& visit, std::string_view id, const Board& board) {
  MASH_ASSIGN(const auto stand, visit.site.boards.stand(visit.records, board));
  const auto found = std::ranges::find(stand->entries, id, &BoardEntry::heuristic);
  if (found == stand->entries.end()) return std::optional<HeuristicPlace>();
  return std::optional(HeuristicPlace{stand, std::size_t(found - stand->entries.begin())});
}

// The board that is asked for, or the first on which it stands, or else stood.
Result<const Board*> board_of(const Visit& visit, const HeuristicHistory& history,
                              const std::vector<Board>& boards, std::string_view name) {
  const Board* first = nullptr;
  for (const Board& board : boards) {
    if (std::ranges::find(history.boards, board.name) == history.boards.end()) continue;
    if (board.name == name) return &board;
    if (!name.empty()) continue;
    MASH_ASSIGN(const auto place, place_on(visit, history.id, board));
    if (place) return &board;
    if (first == nullptr) first = &board;
  }
  return first;
}

}  // namespace

const HeuristicVersion* HeuristicHistory::newest() const {
  if (place) {
    const HeuristicVersion* standing = find_submission(place->entry().submission_id);
    if (standing != nullptr && standing->counts()) return standing;
  }
  const auto found = std::ranges::find_if(versions, [&](const HeuristicVersion& version) {
    return version.counts() && version.board == board.name;
  });
  return found == versions.end() ? nullptr : &*found;
}

const HeuristicVersion* HeuristicHistory::find_version(std::string_view version) const {
  const auto found = std::ranges::find_if(versions, [&](const HeuristicVersion& one) {
    return one.counts() && one.board == board.name && one.submission.version == version;
  });
  return found == versions.end() ? nullptr : &*found;
}

const HeuristicVersion* HeuristicHistory::find_submission(std::int64_t submission_id) const {
  const auto found = std::ranges::find_if(
      versions, [&](const HeuristicVersion& one) { return one.submission.id == submission_id; });
  return found == versions.end() ? nullptr : &*found;
}

Result<std::optional<HeuristicHistory>> find_heuristic(const Visit& visit, const std::string& id,
                                                       std::string_view board_name) {
  MASH_ASSIGN(std::vector<Submission> submissions, read_versions(visit, id));
  if (submissions.empty()) return std::optional<HeuristicHistory>();
  MASH_ASSIGN(const std::vector<Board> boards, read_boards(visit.records));
  MASH_ASSIGN(const auto all_boards, boards_by_id(visit, boards));
  HeuristicHistory history;
  history.id = id;
  MASH_ASSIGN(history.versions, versions_of(visit, std::move(submissions), all_boards));
  for (const Board& board : boards)
    if (std::ranges::any_of(history.versions, [&](const HeuristicVersion& version) {
          return version.board == board.name && is_judged(version.submission);
        }))
      history.boards.push_back(board.name);
  MASH_ASSIGN(const Board* board, board_of(visit, history, boards, board_name));
  if (board == nullptr) return std::optional<HeuristicHistory>();
  history.board = *board;
  MASH_ASSIGN(history.place, place_on(visit, id, *board));
  return std::optional(std::move(history));
}

Result<std::optional<HeuristicPlace>> find_place(const Visit& visit, std::string_view id,
                                                 std::string_view board_name) {
  MASH_ASSIGN(const std::vector<Board> boards, read_boards(visit.records));
  for (const Board& board : boards) {
    if (!board_name.empty() && board.name != board_name) continue;
    MASH_ASSIGN(auto place, place_on(visit, id, board));
    if (place) return place;
  }
  return std::optional<HeuristicPlace>();
}

std::string gain_text(const MeasuredGain& measured) {
  if (!measured.is_told()) return "not measured";
  const double half_width = measured.half_width();
  const int num_decimals = half_width < 0.095 ? 2 : 1;
  return fmt::format("{} ± {:.{}f} %", with_sign(measured.gain, num_decimals), half_width, num_decimals);
}

page::KeyFigure beyond_figure(const BoardStand& stand, std::int64_t submission_id) {
  const EntryBeyond* beyond = stand.beyond_of(submission_id);
  const std::string remark = beyond_remark(beyond);
  if (beyond == nullptr || !beyond->gain) return {"Beyond", "–", remark};
  const BeyondGain& gain = *beyond->gain;
  const std::string words = fmt::format("beside the base and {}, {}", counted(gain.num_others, "other"),
                                        gain.measured_at.substr(0, gain.measured_at.find('T')));
  return {"Beyond", gain.is_told() ? gain_text(gain) : "–", remark.empty() ? words : words + "; " + remark};
}

}  // namespace mash::server
