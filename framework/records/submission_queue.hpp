// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/records/submissions.hpp"

// The runners' side of the queue: who works at what, and what came of it.
namespace mash {

// The right of this process to work at a submission, until it is lost by not renewing it in time.
struct Lease {
  std::int64_t submission_id = 0;
  std::int64_t num_attempts = 0;  // this one counted in
};

inline constexpr std::int64_t kMaxAttempts = 3;  // of runners that end while they work at one submission

// Takes a submission that nobody works at: one that was begun, or else the oldest of the contributor who
// waits longest since one of theirs was taken. One whose runners ended kMaxAttempts times becomes failed, by
// the server's fault, instead. Nothing: none waits.
Result<std::optional<Lease>> take_submission(Records& records, double lease_seconds);

// Whether take_submission would find something to do.
Result<bool> is_any_waiting(const RecordsReader& records);

// Writes of the holder of a lease. Errors: kStopped, nothing was written: the lease is lost, or the
// submission was cancelled.
Status renew_lease(Records& records, const Lease& lease, double lease_seconds);
Status enter_state(Records& records, const Lease& lease, SubmissionState state, std::string_view text);
Status add_event(Records& records, const Lease& lease, std::string_view text);
// Lets another runner begin it again, at once. counts: whether this attempt is one of kMaxAttempts.
Status give_back(Records& records, const Lease& lease, bool counts, std::string_view text);
// In place of those that it had.
Status put_findings(Records& records, const Lease& lease, const std::vector<SourceFinding>& findings);
// heuristic, version: from its descriptor. Errors also (kInput): the heuristic is somebody else's, on any
// board, or this version of it was published on this board before.
Status name_submission(Records& records, const Lease& lease, const std::string& heuristic,
                       const std::string& version, const std::string& summary);
// REQUIRES: state is rejected or failed.
Status end_submission(Records& records, const Lease& lease, SubmissionState state, const std::string& reason,
                      Blame fault, double seconds);
// Keeps the judgement, and makes former versions superseded; where a later one of the same heuristic was
// published first, this one. It is rejected where its name was taken meanwhile (see name_submission). One
// that was run again on its own version of the board says whether the figures are the same: then the first
// one is verified, and this one superseded; else this one failed, by the server's fault, and its judgement is
// not kept.
Status publish_submission(Records& records, const Lease& lease, const Judgement& judgement, double seconds);

// A runner that was heard of lately.
struct RunnerSeen {
  std::int64_t pid = 0;
  std::optional<std::int64_t> submission_id;  // that it works at
  std::string started_at;
  double seconds_ago = 0;
};
// Says that this process runs, and what it works at. The first time, those that have ended are forgotten.
Status report_runner(Records& records, std::optional<std::int64_t> submission_id);
// Those that live.
Result<std::vector<RunnerSeen>> read_runners(const RecordsReader& records);

}  // namespace mash
