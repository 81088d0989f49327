// SPDX-License-Identifier: Apache-2.0
#include "server/runner/group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "framework/analysis/placebo_step.hpp"
#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/scratch_folder.hpp"
#include "framework/base/utf8.hpp"
#include "framework/families/store_content.hpp"
#include "framework/operations/offers/offer.hpp"
#include "framework/operations/workshop/boxed_compile.hpp"

namespace mash::server {
namespace {

namespace fs = std::filesystem;

struct GroupSubmission {
  const Submission* submission = nullptr;
  GroupPart part = GroupPart::kOffered;
};

// The work on one group, whose plugins and features go when it ends. name: in remarks.
class GroupJudging {
 public:
  GroupJudging(std::string name, std::span<const GroupSubmission> members, const PreparedBoard& board,
               const JudgingPlaces& places, const WorkContext& work, const ScratchFolder& folder)
      : name_(std::move(name)),
        members_(members),
        places_(places),
        work_(work),
        folder_(folder.path()),
        experiment_(folder / (board.board.name + ".yaml")),
        num_seeds_(board.board.num_seeds),
        experiment_text_(board.board.experiment) {}

  Result<JudgementBeyond> run() {
    auto judged = build_and_offer();
    forget_features();
    return judged;
  }

 private:
  Result<JudgementBeyond> build_and_offer() {
    MASH_TRY(write_file_atomically(experiment_, experiment_text_));
    JudgementBeyond judgement;
    std::vector<GroupMember> group;
    std::vector<std::int64_t> ids;  // of its members
    for (const GroupSubmission& member : members_) {
      MASH_ASSIGN(auto built, build(member));
      if (!built) {
        judgement.left_out.push_back(member.submission->id);
        continue;
      }
      group.push_back(*std::move(built));
      ids.push_back(member.submission->id);
    }
    const OfferTrySettings settings = trial_settings();
    MASH_ASSIGN(TrialSetup setup, prepare_checked_group(settings, group, work_));
    for (const LeftOutMember& member : setup.left_out) {
      tell_left_out(ids[member.member_idx], member.reason);
      judgement.left_out.push_back(ids[member.member_idx]);
    }
    std::ranges::sort(judgement.left_out);
    auto tested = test_group(setup, settings, work_);
    const auto num_offered =
        std::size_t(std::ranges::count(members_, GroupPart::kOffered, &GroupSubmission::part));
    const bool has_own_pool = judgement.left_out.size() + num_offered < members_.size();
    // No other test has the pool of others; one that was stopped goes on with it.
    forget_rounds(setup, settings, has_own_pool && tested.ok() ? KeptPart::kBoth : KeptPart::kNewcomer);
    if (!tested.ok()) return tested.error();
    static_cast<MeasuredGain&>(judgement) = offer_row(tested->offer);
    judgement.placebo_step = placebo_step(tested->test.placebo_gains, judgement.standard_error);
    return judgement;
  }

  // Nothing: one of the pool whose source is not compiled here.
  Result<std::optional<GroupMember>> build(const GroupSubmission& member) {
    const Submission& submission = *member.submission;
    const fs::path folder = folder_ / std::to_string(submission.id);
    const fs::path source = folder / source_folder(submission) / submission.file_name;
    std::error_code code;
    fs::create_directories(source.parent_path(), code);
    MASH_TRY(write_file_atomically(source, submission.source));
    const fs::path plugin = folder / "submitted.so";
    plugins_.push_back(plugin);
    const BoxedCompilation compiled =
        compile_in_box({source, false}, plugin, {.source_bytes = places_.source_limit}, work_.stop);
    if (!compiled.status.ok()) {
      if (member.part == GroupPart::kOffered || !compiled.is_of_source) return compiled.status.error();
      tell_left_out(submission.id, compiled.status.error().message);
      return std::optional<GroupMember>();
    }
    GroupMember built{{plugin.string(), {}, {plugin}}, {}, member.part};
    for (const SubmissionSetting& setting : submission.settings)
      built.own.add(setting.key, setting.value, fmt::format("setting {}={}", setting.key, setting.value));
    return std::optional(std::move(built));
  }

  void tell_left_out(std::int64_t id, const std::string& reason) const {
    work_.remarks.warn(fmt::format("{}: submission {} is left out: {}", name_, id, printable(reason)));
  }

  OfferTrySettings trial_settings() const {
    OfferTrySettings settings;
    settings.against = experiment_.string();
    settings.seeds = std::uint32_t(num_seeds_);
    settings.seconds = std::numeric_limits<double>::infinity();
    settings.judges = Judges::kTest;
    settings.overrides = {{"isolation=box", "dataset.test_part=private"}, "board"};
    settings.workspace = workspace_of(places_);
    settings.workspace.family_limit = places_.family_limit;
    settings.anyway = true;  // each was checked
    settings.shows_commands = false;
    settings.for_a_board = true;
    return settings;
  }

  void forget_features() const {
    for (const fs::path& path : plugins_) {
      const auto plugin = read_file(path);
      if (!plugin.ok()) continue;  // it came to none
      const PruneRequest request{.plugin_sha256 = sha256(*plugin)};
      const auto pruned = prune_store(places_.store, request, std::chrono::system_clock::now());
      if (!pruned.ok() && pruned.error().kind != ErrorKind::kInput)  // of that kind: there is no store yet
        work_.remarks.warn(fmt::format("{}: its features stay: {}", name_, pruned.error().message));
    }
  }

  void forget_rounds(const TrialSetup& setup, const OfferTrySettings& settings, KeptPart part) const {
    const Status forgotten = forget_offer(setup, settings, part, work_);
    if (!forgotten.ok())
      work_.remarks.warn(fmt::format("{}: rounds of it stay: {}", name_, forgotten.error().message));
  }

  std::string name_;
  std::span<const GroupSubmission> members_;
  const JudgingPlaces& places_;
  const WorkContext& work_;
  fs::path folder_, experiment_;
  std::size_t num_seeds_;
  std::string experiment_text_;
  std::vector<fs::path> plugins_;
};

Result<std::variant<JudgementBeyond, Refusal>> measure_group(const std::string& name,
                                                             std::span<const GroupSubmission> members,
                                                             const PreparedBoard& board,
                                                             const JudgingPlaces& places,
                                                             const WorkContext& work) {
  using Measured = std::variant<JudgementBeyond, Refusal>;
  const auto refused = [](const Error& error) {
    return Measured(Refusal{SubmissionState::kFailed, Blame::kServer, error.message});
  };
  const auto folder = ScratchFolder::make("group");
  if (!folder.ok()) return refused(folder.error());
  auto judged = GroupJudging(name, members, board, places, work, *folder).run();
  if (judged.ok()) return Measured(*std::move(judged));
  if (judged.error().kind == ErrorKind::kStopped) return judged.error();
  return refused(judged.error());
}

}  // namespace

Result<std::variant<Judgement, Refusal>> measure_together(std::span<const Submission> members,
                                                          const PreparedBoard& board,
                                                          const JudgingPlaces& places,
                                                          const WorkContext& work) {
  using Measured = std::variant<Judgement, Refusal>;
  std::vector<GroupSubmission> group;
  for (const Submission& member : members) group.push_back({&member, GroupPart::kOffered});
  const std::string name = fmt::format("heuristics of {} together", members[0].contributor);
  MASH_ASSIGN(auto measured, measure_group(name, group, board, places, work));
  if (auto* refusal = std::get_if<Refusal>(&measured)) return Measured(std::move(*refusal));
  return Measured(Judgement(std::get<JudgementBeyond>(std::move(measured))));
}

Result<std::variant<JudgementBeyond, Refusal>> measure_beyond(const Submission& submission,
                                                              std::span<const Submission> others,
                                                              const PreparedBoard& board,
                                                              const JudgingPlaces& places,
                                                              const WorkContext& work) {
  std::vector<GroupSubmission> group;
  for (const Submission& other : others) group.push_back({&other, GroupPart::kPool});
  group.push_back({&submission, GroupPart::kOffered});
  const std::string name = fmt::format("submission {} beside others", submission.id);
  return measure_group(name, group, board, places, work);
}

}  // namespace mash::server
