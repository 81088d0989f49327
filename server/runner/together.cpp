// SPDX-License-Identifier: Apache-2.0
#include "server/runner/together.hpp"

#include <fmt/format.h>

#include <chrono>
#include <limits>

#include "framework/analysis/placebo_step.hpp"
#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/scratch_folder.hpp"
#include "framework/families/store_content.hpp"
#include "framework/operations/offers/offer.hpp"
#include "framework/operations/workshop/boxed_compile.hpp"

namespace mash::server {
namespace {

namespace fs = std::filesystem;

// The work on one group, whose plugins and features go when it ends.
class GroupJudging {
 public:
  GroupJudging(std::span<const Submission> members, const PreparedBoard& board, const JudgingPlaces& places,
               const WorkContext& work, const ScratchFolder& folder)
      : members_(members),
        places_(places),
        work_(work),
        folder_(folder.path()),
        experiment_(folder / (board.board.name + ".yaml")),
        num_seeds_(board.board.num_seeds),
        experiment_text_(board.board.experiment) {}

  Result<Judgement> run() {
    auto judged = build_and_offer();
    forget_features();
    return judged;
  }

 private:
  Result<Judgement> build_and_offer() {
    MASH_TRY(write_file_atomically(experiment_, experiment_text_));
    std::vector<GroupMember> group;
    for (const Submission& member : members_) {
      MASH_ASSIGN(GroupMember built, build(member));
      group.push_back(std::move(built));
    }
    const OfferTrySettings settings = trial_settings();
    MASH_ASSIGN(TrialSetup setup, prepare_checked_group(settings, group, work_));
    auto tested = test_group(setup, settings, work_);
    forget_rounds(setup, settings);
    if (!tested.ok()) return tested.error();
    Judgement judgement;
    static_cast<MeasuredGain&>(judgement) = offer_row(tested->offer);
    judgement.placebo_step = placebo_step(tested->test.placebo_gains, judgement.standard_error);
    return judgement;
  }

  Result<GroupMember> build(const Submission& member) {
    const fs::path folder = folder_ / std::to_string(member.id);
    const fs::path source = folder / source_folder(member) / member.file_name;
    std::error_code code;
    fs::create_directories(source.parent_path(), code);
    MASH_TRY(write_file_atomically(source, member.source));
    plugins_.push_back(folder / "submitted.so");
    const BoxedCompilation compiled =
        compile_in_box({source, false}, plugins_.back(), {.source_bytes = places_.source_limit}, work_.stop);
    MASH_TRY(compiled.status);
    GroupMember built{{plugins_.back().string(), {}, {plugins_.back()}}, {}};
    for (const SubmissionSetting& setting : member.settings)
      built.own.add(setting.key, setting.value, fmt::format("setting {}={}", setting.key, setting.value));
    return built;
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
        work_.remarks.warn(fmt::format("{}: its features stay: {}", name(), pruned.error().message));
    }
  }

  void forget_rounds(const TrialSetup& setup, const OfferTrySettings& settings) const {
    const Status forgotten = forget_offer(setup, settings, work_);
    if (!forgotten.ok())
      work_.remarks.warn(fmt::format("{}: rounds of it stay: {}", name(), forgotten.error().message));
  }

  std::string name() const { return fmt::format("heuristics of {} together", members_[0].contributor); }

  std::span<const Submission> members_;
  const JudgingPlaces& places_;
  const WorkContext& work_;
  fs::path folder_, experiment_;
  std::size_t num_seeds_;
  std::string experiment_text_;
  std::vector<fs::path> plugins_;
};

}  // namespace

Result<std::variant<Judgement, Refusal>> measure_together(std::span<const Submission> members,
                                                          const PreparedBoard& board,
                                                          const JudgingPlaces& places,
                                                          const WorkContext& work) {
  using Measured = std::variant<Judgement, Refusal>;
  const auto refused = [](const Error& error) {
    return Measured(Refusal{SubmissionState::kFailed, Blame::kServer, error.message});
  };
  const auto folder = ScratchFolder::make("together");
  if (!folder.ok()) return refused(folder.error());
  auto judged = GroupJudging(members, board, places, work, *folder).run();
  if (judged.ok()) return Measured(*std::move(judged));
  if (judged.error().kind == ErrorKind::kStopped) return judged.error();
  return refused(judged.error());
}

}  // namespace mash::server
