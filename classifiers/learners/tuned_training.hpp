// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "classifiers/learners/kept_state.hpp"
#include "classifiers/learners/setting_choice.hpp"

namespace mash {

// A search while a setting is chosen: times the tolerance, and that part of the steps.
inline constexpr int kCoarser = 10;

// A training that chooses a setting, then goes on from there on all examples, with a checkpoint every few
// seconds.
// Solver is a value with these functions:
// - begin(value, weights, is_coarse, workers): begins a search with this value of the setting, where the one
//   before ended. The weights outlive it.
// - go_on(most_seconds, work): goes on for some seconds, or for a step that takes longer. Returns whether the
//   search has ended. Progress advances by steps. Errors: kStopped, after a step too.
// - most_steps(): steps that are left of the search, at most.
// - classes(examples, workers): the classes of these rows, by the solution so far.
// - keep(writer), and take_back(reader) after `begin` as for the one that was kept.
template <class Solver>
class TunedTraining {
 public:
  // name: of the learner. version: of the state. solver: of no weights but those of the choice.
  TunedTraining(const char* name, int version, SettingChoice choice, const TrainingContext& context,
                Solver solver)
      : name_(name),
        work_(context.work),
        kept_(fmt::format("{} {}", name, version), context),
        choice_(std::move(choice)),
        solver_(std::move(solver)) {
    if (const auto state = kept_.load()) take_back(*state);
  }

  // Errors: kStopped; the checkpoint cannot be written (kFailure).
  Status run() {
    if (choice_.is_open()) MASH_TRY(choose());
    return solve(name_, 0);
  }

  const Solver& solver() const { return solver_; }
  double value() const { return choice_.best(); }
  // The value that was chosen; empty where one was given.
  ChosenSetting chosen() const {
    if (choice_.num_tried() == 0) return {};
    return {choice_.name(), fmt::format("{}", choice_.best()), choice_.num_tried(), choice_seconds_};
  }
  // Those of earlier processes, where it was cut off.
  double earlier_seconds() const { return earlier_seconds_; }

 private:
  static constexpr double kSecondsBetweenCheckpoints = 5;

  double seconds() const { return earlier_seconds_ + watch_.seconds(); }

  void begin(Solver& solver, double value) const {
    solver.begin(value, choice_.weights(), choice_.is_open(), work_.workers);
  }

  // The search with the value that is tried, or at the end with the best. num_later: searches after it.
  Status solve(const std::string& task, std::size_t num_later) {
    if (!std::exchange(has_begun_, true))
      begin(solver_, choice_.is_open() ? choice_.tried() : choice_.best());
    work_.progress.start(task, solver_.most_steps() * (num_later + 1), "steps");
    for (bool is_done = false; !is_done;) {
      auto found = solver_.go_on(kSecondsBetweenCheckpoints, work_);
      MASH_TRY(keep());
      MASH_ASSIGN(is_done, std::move(found));
    }
    work_.progress.finish();
    has_begun_ = false;
    return Done{};
  }

  // Tries one value after the other. The solver is then as it was with the best.
  Status choose() {
    while (choice_.is_open()) {
      MASH_TRY(solve(fmt::format("{}: choice of {}", name_, choice_.name()), choice_.num_later()));
      if (choice_.judge(solver_.classes(choice_.judges(), work_.workers))) best_.emplace(solver_);
    }
    work_.remarks.tell(choice_.text(name_));
    choice_seconds_ = seconds();
    solver_ = *std::move(best_);
    best_.reset();
    return Done{};
  }

  Status keep() const {
    StateWriter writer;
    choice_.keep(writer);
    writer.add(seconds(), choice_seconds_, best_.has_value());
    if (best_) best_->keep(writer);
    solver_.keep(writer);
    return kept_.save(writer.take());
  }

  void take_back(std::span<const double> state) {
    StateReader reader(state);
    choice_.take_back(reader);
    earlier_seconds_ = reader.next();
    choice_seconds_ = reader.next();
    if (reader.next<bool>()) {
      best_.emplace(solver_);
      begin(*best_, choice_.best());
      best_->take_back(reader);
    }
    begin(solver_, choice_.is_open() ? choice_.tried() : choice_.best());
    solver_.take_back(reader);
    reader.finish();
    has_begun_ = true;
  }

  const char* name_;
  const WorkContext& work_;
  KeptState kept_;
  Stopwatch watch_;
  double earlier_seconds_ = 0, choice_seconds_ = 0;
  SettingChoice choice_;
  Solver solver_;
  bool has_begun_ = false;      // the search that is next
  std::optional<Solver> best_;  // while it is chosen: as it was with the best so far
};

}  // namespace mash
