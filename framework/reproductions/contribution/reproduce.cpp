// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/contribution/reproduce.hpp"

#include <array>
#include <limits>

#include "classifiers/serving/cut_answers.hpp"
#include "framework/analysis/log_loss.hpp"
#include "framework/operations/offers/run_offer.hpp"
#include "framework/operations/training/subset_trainer.hpp"
#include "framework/reproductions/contribution/truth.hpp"

namespace mash {
namespace {

struct PoolRecipe {
  std::string_view set, recipe;
};
constexpr std::array kPools{PoolRecipe{"mnist", "contribution-mnist"},
                            PoolRecipe{"cifar10", "contribution-cifar10"}};

constexpr std::uint32_t kRounds = 1000, kRuns = 30, kShortRounds = 100, kShortRuns = 5;
// Seeds of the short trainings, after those of the long ones: other draws, or they would share their luck.
constexpr std::uint64_t kFirstShortSeed = 1'000'000;

// The loss of each test example by a model of some families.
std::vector<double> test_losses(const StrongClassifier& model, const FeatureSet& features,
                                const Dataset& dataset) {
  const std::size_t num_classes = dataset.num_classes();
  std::vector<double> scores(dataset.test.num_examples * num_classes);
  for_each_cells(model.hypotheses, features, Side::kTest,
                 [&](const Hypothesis& hypothesis, const std::vector<std::uint8_t>& cells) {
                   const auto votes = cell_votes(hypothesis);
                   for (std::size_t n = 0; n < cells.size(); ++n)
                     for (std::size_t l = 0; l < num_classes; ++l)
                       scores[n * num_classes + l] += hypothesis.alpha * votes[cells[n] * num_classes + l];
                 });
  return scaled_log_loss(scores, dataset.test.labels).losses;
}

FamilySubset all_families(const FeatureSet& features) { return all_but({}, features.num_families()); }

FamilySubset all_without(const FeatureSet& features, std::size_t family) {
  return all_but({{family}}, features.num_families());
}

// One pool while it is measured.
class Measuring {
 public:
  Measuring(const ReproduceSettings& settings, const Experiment& recipe, Workspace& space,
            const WorkContext& work)
      : settings_(settings), recipe_(recipe), space_(space), work_(work) {}

  Result<MeasuredPool> measure(std::string_view set) {
    if (num_runs() < 2) return input_error("runs: found {}; expected at least 2, for intervals", num_runs());
    MeasuredPool pool;
    pool.set = set;
    pool.rounds = settings_.num_rounds.value_or(kRounds);
    pool.short_rounds = std::min(pool.rounds, kShortRounds);
    const std::size_t num_families = space_.features.num_families();
    for (std::size_t k = 0; k < num_families; ++k)
      pool.families.push_back(
          {space_.features.families()[k].spec.name, PairedLosses(space_.dataset->test.num_examples), {}, {}});
    MASH_TRY(train_short(pool));
    MASH_TRY(train_long(pool));
    for (std::size_t k = 0; k < num_families; ++k) MASH_TRY(offer(k, pool));
    return pool;
  }

 private:
  Result<SubsetTrainer> trainer(std::uint32_t rounds) {
    Experiment experiment = recipe_;
    experiment.booster.settings.add("rounds", std::to_string(rounds), "rounds");
    return SubsetTrainer::make(experiment, space_, work_);
  }

  std::uint32_t num_runs() const { return settings_.num_runs.value_or(kRuns); }

  // As heuristics are often compared: few rounds, few seeds, the test error.
  Status train_short(MeasuredPool& pool) {
    MASH_ASSIGN(SubsetTrainer short_trainer, trainer(pool.short_rounds));
    const std::size_t num_families = pool.families.size(), num_seeds = std::min(num_runs(), kShortRuns);
    std::vector<SubsetJob> jobs;
    for (std::size_t k = 0; k <= num_families; ++k)
      for (std::size_t s = 0; s < num_seeds; ++s)
        jobs.push_back({k < num_families ? all_without(space_.features, k) : all_families(space_.features),
                        kFirstShortSeed + settings_.first_seed() + s});
    MASH_ASSIGN(const auto runs, short_trainer.run(jobs));
    for (std::size_t k = 0; k < num_families; ++k)
      for (std::size_t s = 0; s < num_seeds; ++s)
        pool.families[k].errors.push_back(runs[k * num_seeds + s].test.test_error -
                                          runs[num_families * num_seeds + s].test.test_error);
    short_trainer.finish();
    return Done{};
  }

  // The losses of trainings with these families, one of each seed.
  Result<std::vector<std::vector<double>>> losses_of(SubsetTrainer& trainer,
                                                     const std::vector<std::size_t>& families) {
    std::vector<SubsetJob> jobs;
    for (std::size_t s = 0; s < num_runs(); ++s) jobs.push_back({families, settings_.first_seed() + s, true});
    MASH_ASSIGN(const auto runs, trainer.run(jobs));
    const FeatureSet features = space_.features.subset(families);
    std::vector<std::vector<double>> losses(runs.size());
    work_.workers.for_each_in_order(runs.size(), [&](std::size_t s) {
      losses[s] = test_losses(*runs[s].model, features, *space_.dataset);
    });
    return losses;
  }

  Status train_long(MeasuredPool& pool) {
    MASH_ASSIGN(SubsetTrainer long_trainer, trainer(pool.rounds));
    long_trainer.expect((pool.families.size() + 1) * num_runs());
    MASH_ASSIGN(const auto with, losses_of(long_trainer, all_families(space_.features)));
    for (std::size_t k = 0; k < pool.families.size(); ++k) {
      MASH_ASSIGN(const auto without, losses_of(long_trainer, all_without(space_.features, k)));
      for (std::size_t s = 0; s < with.size(); ++s) pool.families[k].trained.add(without[s], with[s]);
    }
    long_trainer.finish();
    return Done{};
  }

  Status offer(std::size_t k, MeasuredPool& pool) {
    MeasuredFamily& family = pool.families[k];
    tell_step(work_.remarks, fmt::format("offer test of {}", family.name), k + 1, pool.families.size());
    const FamilyGroup newcomer{family.name, {k}};
    OfferTestSettings offer;
    offer.first_seed = settings_.first_seed();
    offer.seconds = std::numeric_limits<double>::infinity();
    offer.judges = Judges::kTest;
    MASH_ASSIGN(const OfferTest test, run_offer_test(space_, newcomer, offer, work_));
    family.offered = test.looks.back();
    family.verdict = verdict_of(figures_of(space_, newcomer, test, offer.relevant));
    // Base, control, treated and placebo.
    pool.offer_rounds += test.losses.num_seeds() * (test.rounds.base_rounds + 3 * test.rounds.rounds);
    return Done{};
  }

  const ReproduceSettings& settings_;
  const Experiment& recipe_;
  Workspace& space_;
  const WorkContext& work_;
};

}  // namespace

Result<ReproductionReport> reproduce_contribution(const ReproduceSettings& settings,
                                                  const WorkContext& work) {
  std::vector<std::string_view> known;
  for (const PoolRecipe& pool : kPools) known.push_back(pool.set);
  MASH_ASSIGN(const auto wanted, indices_of_wanted("data set", settings.sets, known));
  std::vector<MeasuredPool> pools;
  for (const std::size_t i : wanted) {
    tell_step(work.remarks, kPools[i].set, pools.size() + 1, wanted.size());
    MASH_ASSIGN(const Experiment recipe, recipe_experiment(settings, kPools[i].recipe));
    MASH_ASSIGN(Workspace space, open_workspace(recipe, settings.workspace, work));
    MASH_ASSIGN(auto pool, Measuring(settings, recipe, space, work).measure(kPools[i].set));
    pools.push_back(std::move(pool));
    // After each pool, so that what is there can be looked at while the other is measured.
    MASH_TRY(write_report(settings, contribution_report(pools)));
  }
  return contribution_report(pools);
}

}  // namespace mash
