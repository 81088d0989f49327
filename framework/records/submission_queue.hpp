// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/records/submissions.hpp"

// The runners' side of the queue: which runner works at which submission, and the results.
namespace mash {

// The right of this process to work at a submission. It is lost where it is not renewed in time.
struct Lease {
  std::int64_t submission_id = 0;
  std::int64_t num_attempts = 0;  // this one included
};

inline constexpr std::int64_t kMaxAttempts =
    3;  // attempts at one submission whose runner ended during the work

// Takes a submission that nobody works at: one that was begun, or else the oldest one of the contributor
// whose last submission was taken longest ago. A submission whose runners ended kMaxAttempts times is not
// taken: it becomes failed, by the server's fault. Returns nothing where none waits.
Result<std::optional<Lease>> take_submission(Records& records, double lease_seconds);

// Whether take_submission would find something to do.
Result<bool> is_any_waiting(const RecordsReader& records);

// Functions by which the holder of a lease writes. Errors (kStopped): the lease is lost or the submission was
// cancelled; then nothing was written.
Status renew_lease(Records& records, const Lease& lease, double lease_seconds);
Status enter_state(Records& records, const Lease& lease, SubmissionState state, std::string_view text);
Status add_event(Records& records, const Lease& lease, std::string_view text);
// Gives up the lease, so that another runner can begin the submission again at once. counts: whether this
// attempt is one of kMaxAttempts.
Status give_back(Records& records, const Lease& lease, bool counts, std::string_view text);
// Stores the findings in the place of earlier ones.
Status put_findings(Records& records, const Lease& lease, const std::vector<SourceFinding>& findings);
// heuristic, version: from its descriptor. Further errors (kInput): the heuristic is somebody else's on some
// board; its id "ada/holes" begins with the name of another user, or with what another user published under
// first; this version of it was published on this board before. Writes nothing.
Status check_submission_id(Records& records, const Lease& lease, const std::string& heuristic,
                           const std::string& version);
// Gives it its name. Further errors: those of check_submission_id.
Status name_submission(Records& records, const Lease& lease, const std::string& heuristic,
                       const std::string& version, const std::string& summary);
// digest: of its features (Judgement::features_digest). Further errors (kInput): its board refuses copies,
// and it is one (CopiesRule).
Status check_features(Records& records, const Lease& lease, const std::string& digest);
// REQUIRES: state is rejected or failed.
Status end_submission(Records& records, const Lease& lease, SubmissionState state, const std::string& reason,
                      Blame fault, double seconds);
// Keeps the judgement and makes lower versions of the heuristic superseded. Where a higher version was
// published before, this one becomes superseded instead. The submission is rejected where its name was taken
// meanwhile (see name_submission), or its features (see check_features). A rerun on the same version of the
// board checks the figures. Where they are the same, the first submission is verified and the rerun
// superseded. Else the rerun becomes failed, by the server's fault, and its judgement is not kept.
Status publish_submission(Records& records, const Lease& lease, const Judgement& judgement, double seconds);

// Keeps what a published submission was measured to be with more seeds, or by the procedure of this program:
// its figures, the released ones, and the sums of its losses. Its report stays. Where it was removed or
// superseded by then, nothing is written. REQUIRES: losses of judgement.num_seeds seeds.
Status keep_measurement(Records& records, std::int64_t submission_id, const Judgement& judgement);

// A runner that has reported lately.
struct RunnerSeen {
  std::int64_t pid = 0;
  std::optional<std::int64_t> submission_id;  // at which it works
  std::string started_at;
  double seconds_ago = 0;
};
// Reports that this process runs and what it works at. Its first report removes the runners that have ended.
Status report_runner(Records& records, std::optional<std::int64_t> submission_id);
// The runners that live.
Result<std::vector<RunnerSeen>> read_runners(const RecordsReader& records);

}  // namespace mash
