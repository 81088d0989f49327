// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/records/records.hpp"

// The queue of a server: what was handed in, who works at it, and what came of it.
//
//   received -> checking -> compiling -> validating -> extracting -> judging -> published
//
// and from each of these to rejected (the contributor's to change), failed (whose fault: `fault`) or
// cancelled. A published version becomes superseded when the next one of the same heuristic is published. The
// last five are final but for that. A submission whose runner has ended is taken up by the next one from its
// start.
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

// Whose it is that a submission did not come to its end.
enum class Blame { kContributor, kServer };

// What contributions are judged by: the experiment whose heuristics they are offered beside.
struct Board {
  std::int64_t id = 0;
  std::string name;
  std::string experiment;  // as YAML
  std::size_t num_seeds = 16;
};
// Makes the board of that name, or gives it another experiment and number of seeds. Returns its id.
Result<std::int64_t> put_board(Records& records, const Board& board);
Result<std::vector<Board>> read_boards(const RecordsReader& records);

struct NewSubmission {
  std::int64_t user_id = 0, board_id = 0;
  std::string request_key;  // of the client's choice: the same one again is the same submission; empty: none
  std::string file_name, source, licence;
  bool is_private = false;  // until it is published
};

struct Submission {
  std::int64_t id = 0, user_id = 0, board_id = 0;
  std::string contributor, file_name, source, source_sha256, licence;
  bool is_private = false;
  std::string heuristic, version, summary;  // empty until it is validated
  SubmissionState state = SubmissionState::kReceived;
  std::string reason;             // of rejected and failed
  std::optional<Blame> fault;     // of these
  std::int64_t num_attempts = 0;  // by runners
  double seconds = 0;             // of runners' time
  std::string received_at;        // UTC, ISO 8601
};

struct SubmissionEvent {
  std::int64_t id = 0, submission_id = 0;
  SubmissionState state = SubmissionState::kReceived;
  std::string text, at;
};

// What the private part of the test side found, and the report by the held-out part.
struct Judgement {
  double gain = 0, standard_error = 0, low = 0, high = 0;  // in per cent of the log-loss
  std::size_t num_seeds = 0;
  std::string finding = {};  // "adds"
  double microseconds = 0;   // of extraction, a picture
  std::size_t num_features = 0;
  std::string report_html = {}, report_json = {};
};

// Keeps it, in state received. Returns its id, which is that of the former one where request_key was there.
Result<std::int64_t> add_submission(Records& records, const NewSubmission& submission);

Result<std::optional<Submission>> find_submission(const RecordsReader& records, std::int64_t id);

// Without their sources, latest first.
struct SubmissionFilter {
  std::optional<std::int64_t> user_id = {};
  std::optional<std::string> heuristic = {};
  bool in_work_only = false;
  std::int64_t before_id = std::int64_t(1) << 62;
  std::size_t most = 50;
};
Result<std::vector<Submission>> read_submissions(const RecordsReader& records,
                                                 const SubmissionFilter& filter);

// Events after that one, of one submission or of all, oldest first, at most so many.
Result<std::vector<SubmissionEvent>> read_events(const RecordsReader& records, std::int64_t after_id,
                                                 std::optional<std::int64_t> submission_id, std::size_t most);

Result<std::optional<Judgement>> find_judgement(const RecordsReader& records, std::int64_t submission_id);

// The right of this process to work at a submission, until it is lost by not renewing it in time.
struct Lease {
  std::int64_t submission_id = 0;
  std::int64_t num_attempts = 0;  // this one counted in
};

inline constexpr std::int64_t kMaxAttempts = 3;  // of runners that end while they work at one submission

// Takes the oldest submission that nobody works at: of the contributors who have one waiting, of the one who
// had one taken least recently. One whose runners ended kMaxAttempts times becomes failed, by the server's
// fault, instead. Nothing: none waits.
Result<std::optional<Lease>> take_submission(Records& records, double lease_seconds);

// What the holder of a lease writes. Each renews it. Errors: kStopped, nothing was written: the lease is
// lost, or the submission was cancelled.
Status renew_lease(Records& records, const Lease& lease, double lease_seconds);
Status enter_state(Records& records, const Lease& lease, SubmissionState state, std::string_view text);
Status add_event(Records& records, const Lease& lease, std::string_view text);
// heuristic, version: from its descriptor. Errors also (kInput): the heuristic is somebody else's, or this
// version of it was published before.
Status name_submission(Records& records, const Lease& lease, const std::string& heuristic,
                       const std::string& version, const std::string& summary);
// REQUIRES: state is rejected or failed.
Status end_submission(Records& records, const Lease& lease, SubmissionState state, const std::string& reason,
                      Blame fault, double seconds);
// Keeps the judgement, and makes former versions superseded.
Status publish_submission(Records& records, const Lease& lease, const Judgement& judgement, double seconds);

// By its contributor or an operator. Errors (kInput): there is none, or it has ended.
Status cancel_submission(Records& records, std::int64_t id);

// Runners' seconds that a contributor used in the last so many days, those of the server's faults apart.
Result<double> seconds_used(const RecordsReader& records, std::int64_t user_id, int days);

// A published heuristic on a board.
struct BoardEntry {
  std::int64_t submission_id = 0;
  std::string heuristic, version, summary, contributor, licence, finding, judged_at;
  double gain = 0, standard_error = 0, low = 0, high = 0;  // in per cent of the log-loss
  std::size_t num_seeds = 0, num_features = 0;
  double microseconds = 0;
};
// By gain, the highest first; equal ones by name.
Result<std::vector<BoardEntry>> read_board_entries(const RecordsReader& records, std::int64_t board_id);

}  // namespace mash
