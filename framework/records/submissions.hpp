// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/loss_sums.hpp"
#include "framework/base/measured_gain.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/records.hpp"

// The queue of a server: the submissions, their states and their results.
//
//   received -> checking -> compiling -> validating -> extracting -> judging -> published
//
// From each state before published a submission can also become rejected (the contributor has to change it),
// failed (`fault` says by whose fault) or cancelled. A published version becomes superseded when a higher
// version of the same heuristic is published. Apart from that, the states published, rejected, failed,
// cancelled and superseded are final. Where a runner has ended, the next runner works at its submission from
// the start.
namespace mash {

enum class SubmissionState {
  kReceived,
  kChecking,
  kCompiling,
  kValidating,
  kExtracting,
  kJudging,
  kPublished,
  kRejected,
  kFailed,
  kCancelled,
  kSuperseded
};
std::string_view word_of(SubmissionState state);
bool is_final(SubmissionState state);

// The one to blame for a submission that did not finish.
enum class Blame { kContributor, kServer };

// Bounds on what is kept of a submission beside its source: much of it is in the words of strangers. What is
// longer is cut; all of it is printable.
inline constexpr std::size_t kMaxFindings = 200, kMaxFindingBytes = 1000;
inline constexpr std::size_t kMaxEventsOfOne = 200, kMaxEventBytes = 2000;
inline constexpr std::size_t kMaxNameBytes = 200, kMaxReasonBytes = 2000;

// Bytes of the largest source that is compiled in a box: where nobody sets a limit, and at most.
inline constexpr std::uint64_t kUsualSourceBytes = std::uint64_t(4) << 20,
                               kMostSourceBytes = std::uint64_t(64) << 20;
// Whether a source can be handed in under this name: kSourceNameRule.
bool is_source_name(std::string_view file_name);
inline constexpr const char* kSourceNameRule =
    "the name of a C++ source without a folder, such as holes.cpp: at most 64 of a-z, A-Z, 0-9, _, - and .";

// The name under which a file from somebody's disk is handed in: "x (1).CPP" becomes "x_1.cpp", and one whose
// letters are all others, such as "тест.cpp", "source.cpp". One with a folder, without a letter or digit, or
// of no C++ source stays as it is, and is refused.
std::string source_name_of(std::string_view file_name);

// The id that a source gives its heuristic, as far as its text says so: where MASH_HEURISTIC stands in it
// once, with the id as a plain string. Nothing where it takes a compiler to know.
std::optional<std::string> id_in_source(std::string_view source);

// A setting of a submitted heuristic, in place of its default.
struct SubmissionSetting {
  std::string key, value;
  bool operator==(const SubmissionSetting&) const = default;
};
// "levels=8, grid=3"
std::string settings_in_words(const std::vector<SubmissionSetting>& settings);
// Bounds on them.
inline constexpr std::size_t kMostSettings = 50, kMostSettingBytes = 200;
// Errors (kInput): there are too many; a key or value is empty, no line of text, or too long; a key is there
// twice.
Status check_submission_settings(const std::vector<SubmissionSetting>& settings);

struct NewSubmission {
  std::int64_t user_id = 0, board_id = 0;
  std::string request_key;  // chosen by the client; the same key again means the same submission; empty: none
  std::string file_name, source, licence;
  bool is_private = false;  // until it is published
  std::vector<SubmissionSetting> settings = {};
};

struct Submission {
  std::int64_t id = 0, user_id = 0, board_id = 0;
  // source: also empty where it was cancelled before a runner took it.
  std::string contributor, file_name, source, source_sha256, licence;
  bool is_private = false;
  std::vector<SubmissionSetting> settings = {};
  std::string heuristic, version, summary;  // empty until it is validated
  SubmissionState state = SubmissionState::kReceived;
  std::string reason;             // of rejected and failed
  std::optional<Blame> fault;     // of rejected and failed
  std::int64_t num_attempts = 0;  // by runners
  double seconds = 0;             // runners' time
  std::string received_at;        // UTC, ISO 8601
  std::optional<std::int64_t> rerun_of = {};
  std::string verified_at = {};  // when a rerun gave the same figures; empty: none did
  bool is_held = false;
  // Why an operator removed it; empty: it is not removed. Of a removed submission the file's name, the
  // source, the settings, the heuristic, its version and summary, and the reason are empty.
  std::string removed_why = {};
  std::string board = {};  // its name
};

struct SubmissionEvent {
  std::int64_t id = 0, submission_id = 0;
  SubmissionState state = SubmissionState::kReceived;
  std::string text, at;
};

// A finding of the compiler or a check on a submitted source.
struct SourceFinding {
  std::uint64_t line = 0, column = 0;  // from 1; 0: the whole source
  std::string kind;                    // "error", "warning", "note", "check"
  std::string text;
};

// Codes of some features on some training pictures, the same for all of a board: a feature after the other.
struct FeatureSample {
  std::size_t num_examples = 0;
  std::vector<std::uint8_t> codes = {};
};

// The result by the private part of the test side, which is not what is released of it, and the report by the
// held-out part.
struct Judgement : MeasuredGain {
  double microseconds = 0;  // of extraction, a picture
  std::size_t num_features = 0;
  std::string report_html = {}, report_json = {};
  double placebo_step = 0;           // per cent of the log-loss: of a board whose ladder_step is kPlaceboStep
  LossSums losses = {};              // of the judging examples, with its num_seeds; empty: not known
  std::string features_digest = {};  // equal for equal features; empty: not known
  FeatureSample sample = {};         // by which near copies are known; empty: there is none
};

// Intake of a board for one user at a moment. Attempts are the submissions to any version of the board in the
// last 24 hours. Those that failed by the server's fault do not count, nor those that were cancelled before a
// runner took them, or rejected before any features were computed.
struct BoardIntake {
  BoardPhase phase = BoardPhase::kOpen;
  std::int64_t num_attempts = 0;
  std::string next_attempt_at = {};       // UTC, ISO 8601; empty: at once
  std::int64_t next_attempt_seconds = 0;  // until then
  std::int64_t num_unchecked = 0;  // attempts that wait or are checked now, and may turn out to be none
};
Result<BoardIntake> read_intake(const RecordsReader& records, std::int64_t user_id, const Board& board);
// "the next is possible on 2026-12-16 10:00 UTC; sooner if the one that waits or is checked now does not
// compile or fails a check, which is no attempt"; or that the board closes before.
std::string next_attempt_in_words(const BoardTerms& terms, const BoardIntake& intake);
// Why nothing is taken, with the time: "the board digits closed on 2026-12-15 22:59:59 UTC; nothing more is
// taken". Empty: something is.
std::string why_nothing_is_taken(const Board& board, const BoardIntake& intake);

// Keeps the submission, in state received. Returns its id. Where request_key was used before, returns the id
// of that submission. Errors (kInput): there is no such board, or it takes nothing from the user now.
Result<std::int64_t> add_submission(Records& records, const NewSubmission& submission);

// The id of the submission that a user made with this key; nothing where the key is empty or new.
Result<std::optional<std::int64_t>> find_request(const RecordsReader& records, std::int64_t user_id,
                                                 const std::string& request_key);

// Whether the source of a submission is read with it; else it is empty.
enum class SourceText { kRead, kLeftOut };
Result<std::optional<Submission>> find_submission(const RecordsReader& records, std::int64_t id,
                                                  SourceText text = SourceText::kRead);

// A choice of submissions, for read_submissions. It returns them without their sources, latest first.
struct SubmissionFilter {
  std::optional<std::int64_t> user_id = {};
  std::optional<std::string> heuristic = {};
  bool in_work_only = false;
  bool failed_only = false;   // by the server's fault
  bool with_private = false;  // also those that are private and not published
  std::int64_t before_id = std::int64_t(1) << 62;
  std::size_t most = 50;
};
Result<std::vector<Submission>> read_submissions(const RecordsReader& records,
                                                 const SubmissionFilter& filter);

// Events with an id above `after_id`, of one submission or of all, oldest first, at most `most`.
Result<std::vector<SubmissionEvent>> read_events(const RecordsReader& records, std::int64_t after_id,
                                                 std::optional<std::int64_t> submission_id, std::size_t most);

// The id of the latest event; 0: there is none yet.
Result<std::int64_t> newest_event(const RecordsReader& records);

// In the order in which they were found.
Result<std::vector<SourceFinding>> read_findings(const RecordsReader& records, std::int64_t submission_id);

Result<std::optional<Judgement>> find_judgement(const RecordsReader& records, std::int64_t submission_id);

// The numbers of seeds with which a submission was measured by the procedure of this program, increasing.
Result<std::vector<std::size_t>> read_measured_seeds(const RecordsReader& records,
                                                     std::int64_t submission_id);
// The sums of the losses that it left with this number of seeds. Empty where there are none.
Result<LossSums> read_loss_sums(const RecordsReader& records, std::int64_t submission_id,
                                std::size_t num_seeds);

enum class CancelledBy { kContributor, kOperator };
// Cancels it; its last event says for whom. The time of the living runner that works at it counts as used;
// where no runner has taken it, its source is dropped. Errors (kInput): there is no such submission, or it
// has ended.
Status cancel_submission(Records& records, std::int64_t id, CancelledBy by = CancelledBy::kContributor);

// Submissions of a contributor that are not final; reruns are not counted.
Result<std::int64_t> num_in_work(const RecordsReader& records, std::int64_t user_id);

// Submissions to all versions of a board that are not final, and heuristics that stand on a former version,
// while none of theirs is to be judged on the newest.
struct UnjudgedWork {
  std::int64_t num_in_work = 0, num_on_former = 0;
};
Result<UnjudgedWork> read_unjudged(const RecordsReader& records, const std::string& board_name);

// Runners' seconds that a contributor used in the last `days` days, each in the judging that ended its
// submission. Those that failed by the server's fault do not count.
Result<double> seconds_used(const RecordsReader& records, std::int64_t user_id, int days);
// The same with them, and with the time of runners that ended before a submission did: what a contributor
// cost, no matter whose fault a failure was taken for.
Result<double> seconds_taken(const RecordsReader& records, std::int64_t user_id, int days);

// Acts of an operator.

// Holds a submission, so that no runner takes it, or releases it. Errors (kInput): there is no such
// submission, or it has ended.
Status hold_submission(Records& records, std::int64_t id, bool is_held);
// Removes a submission: its source, log and report are shown to nobody any more, and it is on no board. The
// same happens to everything else that its contributor handed in with the same source; those that are in work
// are cancelled. Errors (kInput): there is no such submission, or it is in work.
Status remove_submission(Records& records, std::int64_t id, const std::string& why);
// Hands in the same source once more, for its contributor, on the newest version of its board: see
// publish_submission. Returns the new id. Errors (kInput): there is no such submission, it was not published,
// or another run of it on this version of the board is in work.
Result<std::int64_t> rerun_submission(Records& records, std::int64_t id);
struct BoardRerun {
  std::size_t num_submissions = 0;     // that were handed in again
  std::vector<std::int64_t> left_out;  // which run again on the newest version of the board already
};
// Hands in all submissions again that are published on former versions of the board.
Result<BoardRerun> rerun_board(Records& records, const std::string& board_name);
// "3 submissions of former versions run again on version 2; left out, as they wait for version 2 already: 7"
std::string told(const BoardRerun& rerun, std::int64_t board_version);

}  // namespace mash
