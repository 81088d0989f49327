// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/extractors/heuristic_info.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/operations/training/workspace.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/submission_queue.hpp"

// How a stranger's source comes to its place on a board: compiled, checked, and offered beside the board's
// heuristics. All code of theirs runs in boxes, and nothing of it is loaded or parsed here.
namespace mash::server {

// Where a runner finds plugins and keeps features and trainings.
struct JudgingPlaces {
  std::filesystem::path database, store;
  std::vector<std::string> heuristics = {};  // plugins and folders of plugins of the boards' experiments
  // Bytes that the features of a submission may take on disk while they are computed.
  std::uint64_t family_limit = std::uint64_t(2) << 30;
  std::uint64_t source_limit = kUsualSourceBytes;
};

// Listens to how far a submission is. Each returns an error (kStopped) where it is no longer ours.
struct JudgingObserver {
  std::function<Status(SubmissionState, std::string_view text)> on_state;
  std::function<Status(std::string_view text)> on_event;
  // All that the compiler and the checks said of its source so far.
  std::function<Status(const std::vector<SourceFinding>&)> on_findings;
  // The id and version in its descriptor, before it is checked. Errors also (kInput): it may not be published
  // under them.
  std::function<Status(const HeuristicInfo&)> on_id;
  // Its descriptor, once it is checked. Errors also (kInput): as on_id.
  std::function<Status(const HeuristicInfo&)> on_heuristic;
  // The digest of its features, before it is offered. Errors also (kInput): they are a copy, which the board
  // refuses.
  std::function<Status(const std::string& digest)> on_features;
};

// Why a submission is not published. After its heuristic was shown a hidden picture the reason is one of
// these two sentences: any other could tell of that picture.
inline constexpr const char* kNotComputed =
    "its features could not be computed on all pictures of the board, or are not finite numbers, or not the "
    "same when they are computed again: try it with mash heuristic try on other pictures of this kind";
inline constexpr const char* kNotJudged =
    "it could not be judged here: the operator of this server finds the cause in the runner's log";

struct Refusal {
  SubmissionState state = SubmissionState::kRejected;  // or kFailed
  Blame fault = Blame::kContributor;
  std::string reason;
};

// Without these folders and the slash after each: where things lie on this machine is in its log, and nobody
// else's business.
std::string without_folders(std::string text, std::span<const std::filesystem::path> folders);

// The folder that a source is built in; the id of a classic heuristic is made of it and of the file. For a
// heuristic that has an id, of which "alan/holes" says it: it keeps its id when the name of its user changes.
// Else the name of its contributor.
std::string source_folder(const Submission& submission);

enum class TestPart { kPrivate, kPublic };
// The experiment of a board, judged by this part of the test side. Errors: those of parse_experiment.
Result<Experiment> experiment_of(const Board& board, TestPart part = TestPart::kPrivate);
WorkspaceSettings workspace_of(const JudgingPlaces& places);

// A board whose own features are at hand.
struct PreparedBoard {
  Board board;
  std::vector<std::string> heuristics = {};  // ids of its own
  std::shared_ptr<const Dataset> dataset = {};
};
// Has the features of a board's own heuristics computed. Errors: those of open_workspace.
Result<PreparedBoard> prepare_board(const Board& board, const JudgingPlaces& places, const WorkContext& work);

// The test ends by looks and seeds, never by seconds, so that the same submission always comes to the same
// figures. Errors: kStopped.
Result<std::variant<Judgement, Refusal>> judge_submission(const Submission& submission,
                                                          const PreparedBoard& board,
                                                          const JudgingPlaces& places,
                                                          const JudgingObserver& observer,
                                                          const WorkContext& work);

// Measures a published submission with num_seeds seeds, by the test side alone: a judgement without a report.
// Its plugin is built and its features are computed once more. Errors: kStopped.
Result<std::variant<Judgement, Refusal>> measure_again(const Submission& submission,
                                                       const PreparedBoard& board,
                                                       const JudgingPlaces& places, std::size_t num_seeds,
                                                       const WorkContext& work);

}  // namespace mash::server
