// SPDX-License-Identifier: Apache-2.0
#include "server/runner/queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "framework/base/scratch_folder.hpp"
#include "framework/base/stopped_within.hpp"
#include "framework/base/store_room.hpp"
#include "framework/isolation/box_layers.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/site/together.hpp"
#include "server/runner/beat.hpp"
#include "server/runner/beyond_turns.hpp"
#include "server/runner/board_pages.hpp"
#include "server/runner/group.hpp"
#include "server/runner/likeness.hpp"

namespace mash::server {
namespace {

using Outcome = std::variant<Judgement, Refusal>;

constexpr double kSecondsAfterAnError = 5;
constexpr double kMostSecondsToNextTry = 600;  // at the pages of a board
constexpr int kFreeErrors = 10;                // at one submission: with more of them its attempts count

Outcome failed_outcome(std::string reason) {
  return Refusal{SubmissionState::kFailed, Blame::kServer, std::move(reason)};
}

void pause(double seconds, const StopFlag& stop) {
  for (const Stopwatch watch; watch.seconds() < seconds && !stop.raised();)
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(0.1, seconds)));
}

class Queue {
 public:
  Queue(const QueueSettings& settings, Records records, const WorkContext& work)
      : settings_(settings), records_(std::move(records)), work_(work) {}

  Status run() {
    while (!work_.stop.raised()) {
      const auto has_ended = step();
      if (has_ended.ok() && *has_ended) return Done{};
      if (has_ended.ok() || has_ended.error().kind == ErrorKind::kStopped) continue;
      if (settings_.ends_when_empty) return has_ended.error();
      work_.remarks.warn(has_ended.error().message + "; it is tried again");
      pause(kSecondsAfterAnError, work_.stop);
    }
    return Done{};
  }

 private:
  // Judges a submission; where none waits, makes pages or pauses. Returns whether all is done.
  Result<bool> step() {
    MASH_TRY(idle_report_.say(records_));
    MASH_TRY(give_back_what_is_left());
    MASH_ASSIGN(const auto lease, take_next());
    if (lease) {
      idle_report_ = RunnerReport();
      const Status judged = judge(*lease);
      if (judged.ok()) num_errors_.erase(lease->submission_id);
      if (!judged.ok()) leave(*lease);
      MASH_TRY(judged);
      return false;
    }
    MASH_ASSIGN(const auto board, find_board_to_show());
    if (board) {
      MASH_TRY(make_pages(*board));
      return false;
    }
    MASH_ASSIGN(const bool has_compared, compare_next());
    if (has_compared) return false;
    MASH_ASSIGN(const bool has_measured, measure_least_certain());
    if (has_measured) return false;
    MASH_ASSIGN(const bool has_measured_together, measure_next_together());
    if (has_measured_together) return false;
    MASH_ASSIGN(const bool has_measured_beyond, measure_next_beyond());
    if (has_measured_beyond) return false;
    if (!settings_.ends_when_empty) pause(settings_.poll_seconds, work_.stop);
    return settings_.ends_when_empty;
  }

  // Nothing where none waits, or the store has no room for its features, or cannot be written. Errors: the
  // database; no room, where the runner is to end (kFailure).
  Result<std::optional<Lease>> take_next() {
    const StoreRoom room = store_room(settings_.places.store, settings_.free_disk);
    if (!room.is_enough()) {
      const std::string why =
          room.in_words() + (room.closed.empty() ? " (--free-disk): no submission is taken until it has"
                                                 : ": no submission is taken until then");
      if (settings_.ends_when_empty) return failure("{}", why);
      if (std::exchange(has_room_, false)) work_.remarks.warn(why);
      return std::optional<Lease>();
    }
    if (!std::exchange(has_room_, true))
      work_.remarks.tell("the store has room again: submissions are taken");
    return take_submission(records_, settings_.lease_seconds);
  }

  // An unfinished submission is for the next runner. Where the database cannot hear of it now, the next step
  // tells it.
  void leave(const Lease& lease) {
    if (work_.stop.raised())
      left_ = {lease, false, "the runner stops: another one begins again"};
    else
      left_ = {lease, ++num_errors_[lease.submission_id] > kFreeErrors, "it is tried again"};
    (void)give_back_what_is_left();
  }

  // Errors: the database.
  Status give_back_what_is_left() {
    if (!left_) return Done{};
    const Status given = give_back(records_, left_->lease, left_->counts, left_->text);
    if (!given.ok() && given.error().kind != ErrorKind::kStopped) return given;
    left_.reset();
    return Done{};
  }

  // heartbeat: hears the states; without one, what takes too long is the server's fault.
  JudgingObserver observer(const Lease& lease, Heartbeat* heartbeat) {
    return {[this, lease, heartbeat](SubmissionState state, std::string_view text) {
              if (heartbeat != nullptr) heartbeat->enter(state);
              return enter_state(records_, lease, state, text);
            },
            [this, lease](std::string_view text) { return add_event(records_, lease, text); },
            [this, lease](const std::vector<SourceFinding>& findings) {
              return put_findings(records_, lease, findings);
            },
            [this, lease](const HeuristicInfo& info) {
              return check_submission_id(records_, lease, info.id, info.version);
            },
            [this, lease](const HeuristicInfo& info) {
              return name_submission(records_, lease, info.id, info.version, info.summary);
            },
            [this, lease](const std::string& digest) { return check_features(records_, lease, digest); }};
  }

  // Errors: kStopped: the lease was lost or the runner is stopped; the database.
  Status judge(const Lease& lease) {
    const Stopwatch watch;
    StopFlag stop;
    Heartbeat heartbeat(settings_, lease, work_, stop);
    const WorkContext work{work_.workers, work_.progress, work_.remarks, stop};
    work_.remarks.tell(fmt::format("submission {}: taken", lease.submission_id));
    auto outcome = unless_stopped([&] { return judge_as_it_is(lease, heartbeat, work); });
    if (!outcome.ok() && outcome.error().kind == ErrorKind::kStopped && heartbeat.is_overdue())
      outcome =
          Outcome(Refusal{SubmissionState::kFailed, heartbeat.overdue_fault(), overdue_reason(settings_)});
    if (!outcome.ok()) return outcome.error();
    const double seconds = watch.seconds();
    if (const auto* refusal = std::get_if<Refusal>(&*outcome)) {
      work_.remarks.tell(fmt::format("submission {}: {}: {}", lease.submission_id, word_of(refusal->state),
                                     refusal->reason));
      return end_submission(records_, lease, refusal->state, without_places(refusal->reason), refusal->fault,
                            seconds);
    }
    work_.remarks.tell(fmt::format("submission {}: judged in {:.1f} s", lease.submission_id, seconds));
    return publish_submission(records_, lease, std::get<Judgement>(*outcome), seconds);
  }

  // Without the folders of this site and of its heuristics.
  std::string without_places(std::string text) const {
    const JudgingPlaces& places = settings_.places;
    std::vector<std::filesystem::path> folders{places.store, places.database.parent_path()};
    for (const std::filesystem::path heuristics : places.heuristics) {
      std::error_code code;
      folders.push_back(std::filesystem::is_directory(heuristics, code) ? heuristics
                                                                        : heuristics.parent_path());
    }
    return without_folders(std::move(text), folders);
  }

  Result<Outcome> judge_as_it_is(const Lease& lease, Heartbeat& heartbeat, const WorkContext& work) {
    MASH_ASSIGN(const Submission submission, submission_of(lease.submission_id));
    MASH_ASSIGN(const auto board, find_board(records_, submission.board_id));
    if (!board) return failed_outcome(fmt::format("there is no board {}", submission.board_id));
    if (submission.rerun_of) {
      MASH_ASSIGN(const Submission first, submission_of(*submission.rerun_of));
      if (first.board_id == board->id) return judge_anew(submission, *board, lease, heartbeat, work);
    }
    auto known = prepared_.find(board->id);
    if (known == prepared_.end()) {
      MASH_TRY(add_event(records_, lease, "preparing the board"));
      auto prepared = prepare_board(*board, settings_.places, work);
      if (!prepared.ok() && prepared.error().kind == ErrorKind::kStopped) return prepared.error();
      if (!prepared.ok()) return failed_outcome(prepared.error().message);
      known = prepared_.emplace(board->id, *std::move(prepared)).first;
      MASH_TRY(go_on_after_preparing(heartbeat, work));
    }
    return judge_submission(submission, known->second, settings_.places, observer(lease, &heartbeat), work);
  }

  // The time that the board took is not the submission's. Errors (kStopped): it took too long, or the runner
  // stops, in a part that does not look at the flag.
  static Status go_on_after_preparing(Heartbeat& heartbeat, const WorkContext& work) {
    if (work.stop.raised()) return Error{ErrorKind::kStopped, "stopped while the board was prepared"};
    heartbeat.begin_anew();
    return Done{};
  }

  Result<Submission> submission_of(std::int64_t id) const {
    MASH_ASSIGN(auto found, find_submission(records_, id));
    if (!found) return failure("submission {}: is not in the records", id);
    return *std::move(found);
  }

  Result<std::vector<Submission>> submissions_of(std::span<const std::int64_t> ids) const {
    std::vector<Submission> submissions;
    for (const std::int64_t id : ids) {
      MASH_ASSIGN(Submission submission, submission_of(id));
      submissions.push_back(std::move(submission));
    }
    return submissions;
  }

  // With nothing that former trainings left. Any other outcome than that of the first run is the server's
  // fault.
  Result<Outcome> judge_anew(const Submission& submission, const Board& board, const Lease& lease,
                             Heartbeat& heartbeat, const WorkContext& work) {
    MASH_TRY(add_event(records_, lease, "preparing the board again, for a judging of its own"));
    const auto folder = ScratchFolder::make("rerun");
    if (!folder.ok()) return failed_outcome(folder.error().message);
    const JudgingPlaces places{*folder / "mash.db", *folder / "store", settings_.places.heuristics,
                               settings_.places.family_limit, settings_.places.source_limit};
    const auto prepared = prepare_board(board, places, work);
    if (!prepared.ok() && prepared.error().kind == ErrorKind::kStopped) return prepared.error();
    if (!prepared.ok()) {
      const std::filesystem::path folders[] = {folder->path()};
      return failed_outcome(without_folders(prepared.error().message, folders));
    }
    MASH_TRY(go_on_after_preparing(heartbeat, work));
    MASH_ASSIGN(Outcome outcome,
                judge_submission(submission, *prepared, places, observer(lease, nullptr), work));
    if (const auto* refusal = std::get_if<Refusal>(&outcome))
      return failed_outcome(fmt::format("another run of submission {} was {}: {}", *submission.rerun_of,
                                        word_of(refusal->state), refusal->reason));
    return outcome;
  }

  // A board whose pages are not all there.
  Result<std::optional<Board>> find_board_to_show() const {
    MASH_ASSIGN(const std::vector<Board> boards, read_boards(records_));
    for (const Board& board : boards) {
      if (without_pages_.contains(board.id) || is_to_wait(board.id)) continue;
      MASH_ASSIGN(const bool is_there, has_board_pages(records_, board.id));
      if (!is_there) return std::optional(board);
    }
    return std::optional<Board>();
  }

  bool is_to_wait(std::int64_t board_id) const {
    const auto wait = page_waits_.find(board_id);
    return wait != page_waits_.end() && wait->second.since.seconds() < wait->second.seconds;
  }

  // A page that could not be made will not be made of the same experiment; what the machine lacks may come.
  void note_page_error(const Board& board, const Error& error) {
    work_.remarks.warn(fmt::format("board {}: without its pages: {}", board.name, error.message));
    if (error.kind == ErrorKind::kInput || settings_.ends_when_empty) {
      without_pages_.insert(board.id);
      return;
    }
    PageWait& wait = page_waits_[board.id];
    wait = {Stopwatch(), std::min(kMostSecondsToNextTry, 2 * wait.seconds)};
  }

  // The entry of any board whose rank is least certain.
  struct LeastCertain {
    Board board;
    Submission submission;
    std::size_t num_seeds = 0;  // to measure it with
  };
  Result<std::optional<LeastCertain>> find_least_certain() {
    MASH_ASSIGN(const std::vector<Board> boards, read_boards(records_));
    for (const Board& board : boards) {
      // Where a Ladder withholds gains, more seeds would release more of them.
      if (board.ladder_step != 0 || certain_at_[board.id] == board.revision) continue;
      MASH_ASSIGN(std::vector<BoardEntry> entries, read_board_entries(records_, board.id));
      std::erase_if(entries,
                    [&](const BoardEntry& one) { return not_measured_.contains(one.submission_id); });
      MASH_ASSIGN(const auto ranks, ranks_[board.id].ranks(records_, board, entries));
      const auto chosen = least_certain(entries, ranks, settings_.most_seeds);
      if (!chosen) {
        certain_at_[board.id] = board.revision;
        continue;
      }
      MASH_ASSIGN(Submission submission, submission_of(entries[*chosen].submission_id));
      const std::size_t num_seeds =
          ranks[*chosen].is_measured_before ? board.num_seeds : 2 * entries[*chosen].num_seeds;
      return std::optional(LeastCertain{board, std::move(submission), num_seeds});
    }
    return std::optional<LeastCertain>();
  }

  // Works at something until a submission waits or the runner stops. Errors: of the work; kStopped.
  template <class Work>
  auto while_none_waits(const Work& task) {
    StopFlag stop;
    std::optional<Records> records;
    const Beat beat(settings_.poll_seconds, [&] {
      if (work_.stop.raised()) stop.raise();
      if (!records) {
        auto opened = Records::open(settings_.places.database);
        if (!opened.ok()) return;
        records.emplace(*std::move(opened));
      }
      (void)idle_report_.say(*records);  // the next beat tries again
      const auto is_waiting = is_any_waiting(*records);
      if (is_waiting.ok() && *is_waiting) stop.raise();
    });
    return unless_stopped([&] {
      return task(WorkContext{work_.workers, work_.progress, work_.remarks, stop});
    });
  }

  // Returns whether there was one. Errors: the database; kStopped.
  Result<bool> measure_least_certain() {
    if (settings_.ends_when_empty || settings_.most_seeds == 0) return false;
    MASH_ASSIGN(const auto chosen, find_least_certain());
    if (!chosen) return false;
    const std::int64_t id = chosen->submission.id;
    MASH_ASSIGN(auto outcome, while_none_waits([&](const WorkContext& work) -> Result<Outcome> {
                  MASH_ASSIGN(const PreparedBoard* board, prepared(chosen->board, work));
                  return measure_again(chosen->submission, *board, settings_.places, chosen->num_seeds, work);
                }));
    if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
      work_.remarks.warn(fmt::format("submission {}: cannot be measured again: {}", id, refusal->reason));
      not_measured_.insert(id);
      return true;
    }
    work_.remarks.tell(fmt::format("submission {}: measured with {} seeds", id, chosen->num_seeds));
    MASH_TRY(keep_measurement(records_, id, std::get<Judgement>(outcome)));
    return true;
  }

  // Returns whether there was a submission to compare. Errors: the database; kStopped.
  Result<bool> compare_next() {
    MASH_ASSIGN(const auto next, next_to_compare(records_));
    if (!next) return false;
    return while_none_waits(
        [&](const WorkContext& work) { return compare_next_submission(records_, work.stop); });
  }

  // Heuristics of a contributor whose gain together is not known.
  struct Group {
    Board board;
    TogetherMembers members;
  };
  Result<std::optional<Group>> find_group() {
    MASH_ASSIGN(const std::vector<Board> boards, read_boards(records_));
    for (const Board& board : boards) {
      if (together_at_[board.id] == board.revision) continue;
      MASH_ASSIGN(const std::vector<TogetherMembers> groups, read_unmeasured_together(records_, board.id));
      for (const TogetherMembers& members : groups)
        if (!not_together_.contains({board.id, members.submission_ids}))
          return std::optional(Group{board, members});
      together_at_[board.id] = board.revision;
    }
    return std::optional<Group>();
  }

  // Returns whether there was one. Errors: the database; kStopped.
  Result<bool> measure_next_together() {
    if (settings_.ends_when_empty || settings_.most_seeds == 0) return false;
    MASH_ASSIGN(const auto group, find_group());
    if (!group) return false;
    const TogetherMembers& members = group->members;
    MASH_ASSIGN(const std::vector<Submission> submissions, submissions_of(members.submission_ids));
    MASH_ASSIGN(auto outcome, while_none_waits([&](const WorkContext& work) -> Result<Outcome> {
                  MASH_ASSIGN(const PreparedBoard* board, prepared(group->board, work));
                  return measure_together(submissions, *board, settings_.places, work);
                }));
    if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
      work_.remarks.warn(fmt::format("heuristics of {}: cannot be measured together: {}", members.contributor,
                                     refusal->reason));
      not_together_.insert({group->board.id, members.submission_ids});
      return true;
    }
    work_.remarks.tell(fmt::format("heuristics of {}: measured together", members.contributor));
    MASH_TRY(keep_together(records_, group->board, members, std::get<Judgement>(outcome)));
    return true;
  }

  // Returns whether there was one. Errors: the database; kStopped.
  Result<bool> measure_next_beyond() {
    if (settings_.ends_when_empty || settings_.most_seeds == 0 || !has_room_) return false;
    MASH_ASSIGN(const auto chosen, beyond_turns_.next(records_));
    if (!chosen) return false;
    const WantedBeyond& wanted = chosen->wanted;
    MASH_ASSIGN(const Submission submission, submission_of(wanted.submission_id));
    MASH_ASSIGN(const std::vector<Submission> others, submissions_of(wanted.others));
    MASH_ASSIGN(
        auto outcome,
        while_none_waits([&](const WorkContext& work) -> Result<std::variant<JudgementBeyond, Refusal>> {
          MASH_ASSIGN(const PreparedBoard* board, prepared(chosen->board, work));
          return measure_beyond(submission, others, *board, settings_.places, work);
        }));
    if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
      work_.remarks.warn(
          fmt::format("submission {}: cannot be measured beside others: {}", submission.id, refusal->reason));
      beyond_turns_.leave_out(submission.id);
      return true;
    }
    const auto& judgement = std::get<JudgementBeyond>(outcome);
    work_.remarks.tell(fmt::format("submission {}: measured beside {} others", submission.id,
                                   others.size() - judgement.left_out.size()));
    MASH_TRY(keep_beyond(records_, chosen->board, wanted, judgement, judgement.left_out));
    return true;
  }

  // Errors: those of prepare_board.
  Result<const PreparedBoard*> prepared(const Board& board, const WorkContext& work) {
    auto known = prepared_.find(board.id);
    if (known == prepared_.end()) {
      MASH_ASSIGN(PreparedBoard made, prepare_board(board, settings_.places, work));
      known = prepared_.emplace(board.id, std::move(made)).first;
    }
    return &known->second;
  }

  // Until a submission waits: what was done by then is kept. Errors: kStopped.
  Status make_pages(const Board& board) {
    const auto made = while_none_waits(
        [&](const WorkContext& work) { return make_board_pages(board, settings_.places, work); });
    if (!made.ok() && made.error().kind == ErrorKind::kStopped) return made.error();
    if (!made.ok())
      note_page_error(board, made.error());
    else if (*made)
      page_waits_.erase(board.id);
    else if (settings_.ends_when_empty)
      without_pages_.insert(board.id);
    else
      page_waits_[board.id] = {Stopwatch(), kSecondsAfterAnError};
    return Done{};
  }

  // A submission that this runner no longer works at, until it is given back.
  struct Left {
    Lease lease;
    bool counts = false;
    const char* text = "";
  };
  // Until the next try to make the pages of a board.
  struct PageWait {
    Stopwatch since = {};
    double seconds = kSecondsAfterAnError / 2;
  };

  const QueueSettings& settings_;
  Records records_;
  const WorkContext& work_;
  std::map<std::int64_t, PreparedBoard> prepared_;   // by the numbers of boards
  std::map<std::int64_t, BoardRanks> ranks_;         // the same
  std::map<std::int64_t, std::int64_t> certain_at_;  // revisions of boards of which nothing is to be measured
  std::set<std::int64_t> not_measured_;              // submissions that cannot be measured again here
  std::map<std::int64_t, std::int64_t> together_at_;  // as certain_at_, of what contributors add together
  // Boards, and submissions that cannot be measured together here.
  std::set<std::pair<std::int64_t, std::vector<std::int64_t>>> not_together_;
  BeyondTurns beyond_turns_;                     // of entries beside all others
  std::set<std::int64_t> without_pages_;         // boards whose pages cannot be made, or are made by another
  std::map<std::int64_t, PageWait> page_waits_;  // by the numbers of boards
  std::map<std::int64_t, int> num_errors_;       // by the numbers of submissions that are tried again
  std::optional<Left> left_;
  bool has_room_ = true;  // the store, at the last look
  RunnerReport idle_report_;
};

}  // namespace

Status run_queue(const QueueSettings& settings, const WorkContext& work) {
  MASH_TRY(check_box());
  for (const BoxLayer& layer : box_layers())
    if (!layer.is_active)
      work.remarks.warn(fmt::format("boxes here have no wall '{}': {}", layer.name, layer.finding));
  while (!work.stop.raised()) {
    auto records = Records::open(settings.places.database);
    if (records.ok()) return Queue(settings, *std::move(records), work).run();
    if (settings.ends_when_empty || records.error().kind == ErrorKind::kInput) return records.error();
    work.remarks.warn(records.error().message + "; it is tried again");
    pause(kSecondsAfterAnError, work.stop);
  }
  return Done{};
}

}  // namespace mash::server
