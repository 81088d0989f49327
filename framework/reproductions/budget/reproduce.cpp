// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/budget/reproduce.hpp"

#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/training/seed_run.hpp"
#include "framework/reproductions/budget/report.hpp"

namespace mash {
namespace {

constexpr std::uint32_t kRepetitions = 100;
constexpr int kRepetitionRevision = 1;  // raised where repetitions give other numbers

// The repetitions of one data set, of which some may be kept from before.
class RepetitionsOfSet {
 public:
  RepetitionsOfSet(const BudgetSet& set, BinaryPool pool, const ReproduceSettings& settings,
                   const std::filesystem::path& store, const WorkContext& work)
      : set_(set),
        pool_(std::move(pool)),
        settings_(settings),
        folder_(store / "budget-figure1"),
        work_(work) {
    Sha256 hash;
    hash.update(fmt::format("{} {} {} {} {} {} {}", training_version(), kRepetitionRevision, set.name,
                            set.num_train, set.num_test, set.adaboost_rounds,
                            settings.num_rounds.value_or(0)));
    hash.update(std::as_bytes(std::span(pool_.labels)));
    hash.update(std::as_bytes(std::span(pool_.bits)));
    key_ = hash.hex().substr(0, 16);
  }

  // As many at once as there are threads: a training of few examples has no work for several.
  Result<BudgetResult> run() {
    BudgetResult result{&set_, pool_.num_features, {}};
    const std::uint32_t of_paper = most_rounds_of(set_);
    result.has_fewer_rounds = settings_.num_rounds.value_or(of_paper) < of_paper;
    const std::uint32_t num_repetitions = settings_.num_runs.value_or(kRepetitions);
    result.repetitions.resize(num_repetitions);
    const Status done = work_.workers.try_each(num_repetitions, work_.stop, [&](std::size_t i) -> Status {
      MASH_ASSIGN(result.repetitions[i], kept_or_run(settings_.first_seed() + i));
      work_.progress.advance(1);
      return Done{};
    });
    if (work_.stop.raised()) return stopped_error();
    MASH_TRY(done);
    return result;
  }

 private:
  Result<BudgetRepetition> kept_or_run(std::uint64_t seed) const {
    const auto file = folder_ / fmt::format("{}-{}-{}.txt", set_.name, key_, seed);
    if (std::error_code ignored; std::filesystem::exists(file, ignored))
      if (const auto text = read_file(file); text.ok())
        if (const auto kept = parse_budget_repetition(*text)) return *kept;
    MASH_ASSIGN(const BudgetRepetition repetition,
                run_budget_repetition(set_, pool_, {settings_.num_rounds, seed}, work_.stop));
    MASH_TRY(write_file_atomically(file, serialise(repetition)));
    return repetition;
  }

  const BudgetSet& set_;
  const BinaryPool pool_;
  const ReproduceSettings& settings_;
  const std::filesystem::path folder_;
  const WorkContext& work_;
  std::string key_;  // of all that a repetition depends on, but its seed
};

Status write_errors(const ReproduceSettings& settings, std::span<const BudgetResult> results) {
  if (settings.folder.empty()) return Done{};
  return write_file_atomically(settings.folder / "budget-figure1-errors.csv",
                               render_csv(budget_errors(results)));
}

}  // namespace

Result<ReproductionReport> reproduce_budget_figure(const ReproduceSettings& settings,
                                                   const WorkContext& work) {
  if (!settings.overrides.texts.empty())
    return input_error("{} {}: {} decides all settings of its trainings itself; expected none",
                       settings.overrides.called, settings.overrides.texts[0], settings.name);
  std::vector<std::string_view> names;
  for (const BudgetSet& set : budget_sets()) names.push_back(set.name);
  MASH_ASSIGN(const auto wanted, indices_of_wanted("data set", settings.sets, names));
  const std::filesystem::path store =
      settings.workspace.store.empty() ? default_store() : settings.workspace.store;
  MASH_TRY(check_store_folder(store));
  // Errors of a data set should be known before the others train.
  std::vector<BinaryPool> pools;
  for (const std::size_t i : wanted) {
    MASH_ASSIGN(BinaryPool pool, load_budget_set(budget_sets()[i], work));
    pools.push_back(std::move(pool));
  }
  std::vector<BudgetResult> results;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const BudgetSet& set = budget_sets()[wanted[i]];
    tell_step(work.remarks, set.title, i + 1, wanted.size());
    work.progress.start(std::string(set.name), settings.num_runs.value_or(kRepetitions), "trials");
    RepetitionsOfSet repetitions(set, std::move(pools[i]), settings, store, work);
    MASH_ASSIGN(BudgetResult result, repetitions.run());
    work.progress.finish();
    results.push_back(std::move(result));
    MASH_TRY(write_errors(settings, results));
    MASH_TRY(write_report(settings, budget_report(results, settings.command)));
  }
  return budget_report(results, settings.command);
}

}  // namespace mash
