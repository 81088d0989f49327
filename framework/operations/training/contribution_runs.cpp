// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/contribution_runs.hpp"

#include <algorithm>
#include <numeric>

#include "framework/base/elementary.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

// Sets of families to be trained with every seed, in one go: all trainings of an analysis run side by side.
class WantedRuns {
 public:
  explicit WantedRuns(std::span<const std::uint64_t> seeds) : seeds_(seeds) {}

  // Returns where the runs of this set will be. Sets may come again.
  std::size_t want(FamilySubset families, bool wants_models = false) {
    const auto found = std::find(sets_.begin(), sets_.end(), families);
    const auto place = std::size_t(found - sets_.begin());
    if (found == sets_.end()) {
      sets_.push_back(std::move(families));
      wants_models_.push_back(wants_models);
    } else if (wants_models) {
      wants_models_[place] = true;
    }
    return place;
  }

  std::size_t num_runs() const { return sets_.size() * seeds_.size(); }

  Status run(SubsetTrainer& trainer) {
    std::vector<SubsetJob> jobs;
    for (std::size_t i = 0; i < sets_.size(); ++i)
      for (const std::uint64_t seed : seeds_) jobs.push_back({sets_[i], seed, wants_models_[i]});
    MASH_ASSIGN(auto runs, trainer.run(jobs));
    runs_.resize(sets_.size());
    for (std::size_t j = 0; j < runs.size(); ++j) {
      SetRuns& of_set = runs_[j / seeds_.size()];
      of_set.tests.push_back(std::move(runs[j].test));
      if (runs[j].model) of_set.models.push_back(*std::move(runs[j].model));
    }
    return Done{};
  }

  // The runs with every seed. REQUIRES: run.
  const SetRuns& at(std::size_t place) const { return runs_[place]; }

 private:
  std::span<const std::uint64_t> seeds_;
  std::vector<FamilySubset> sets_;
  std::vector<bool> wants_models_;
  std::vector<SetRuns> runs_;
};

FamilySubset all_families(const SubsetTrainer& trainer) {
  return all_but({}, trainer.features().num_families());
}

double constant_error_of(const Dataset& dataset) {
  return constant_error(dataset.train.labels, dataset.test.labels, dataset.num_classes());
}

// Always the most frequent class, as if it had been trained: the pool of no family.
std::vector<TestRun> constant_runs(const Dataset& dataset, std::span<const std::uint64_t> seeds) {
  const std::uint16_t most = most_frequent_class(dataset.train.labels, dataset.num_classes());
  std::vector<TestRun> runs;
  for (const std::uint64_t seed : seeds)
    runs.push_back(
        {seed, constant_error_of(dataset), std::vector<std::uint16_t>(dataset.test.num_examples, most)});
  return runs;
}

// The runs of a set; for no family those of always answering the most frequent class.
struct Trained {
  SetRuns constant;
  std::optional<std::size_t> place;
  const SetRuns& of(const WantedRuns& runs) const { return place ? runs.at(*place) : constant; }
};
Trained want(WantedRuns& runs, const SubsetTrainer& trainer, std::span<const std::uint64_t> seeds,
             FamilySubset families) {
  if (families.empty()) return {{constant_runs(trainer.dataset(), seeds), {}}, std::nullopt};
  return {{}, runs.want(std::move(families))};
}

Comparison compare_on(const Dataset& dataset, std::span<const TestRun> before,
                      std::span<const TestRun> after) {
  return compare(before, after, dataset.test.labels, dataset.num_classes());
}

// How models of all families divide their margins: per seed; and what permuting groups does to the first
// seed's.
struct Credit {
  std::vector<MarginShares> shares;
  std::vector<PermutationImportance> importance;  // of each group
};
Result<Credit> credit_of(const SubsetTrainer& trainer, std::span<const StrongClassifier> models,
                         std::span<const FamilySubset> groups, const PermutationSettings& settings) {
  Credit credit;
  const auto& labels = trainer.dataset().test.labels;
  for (const StrongClassifier& model : models) {
    MASH_ASSIGN(const CutAnswers answers, CutAnswers::make(model, trainer.features()));
    credit.shares.push_back(margin_shares(model, answers, labels, trainer.workers()));
    if (credit.importance.empty())
      credit.importance = permutation_importance(model, answers, groups, labels, settings, trainer.workers());
  }
  return credit;
}

// Nothing where the mean margin of a seed is not positive.
std::optional<Estimate> margin_share_of(const Credit& credit, const FamilySubset& families) {
  std::vector<double> shares;
  for (const MarginShares& of_seed : credit.shares) {
    if (!(of_seed.mean_margin > 0)) return std::nullopt;
    double sum = 0;
    for (const std::size_t k : families) sum += of_seed.families[k];
    shares.push_back(sum / of_seed.mean_margin);
  }
  return estimate(shares);
}

// The share of each family, over the models of all seeds.
std::vector<Estimate> alpha_shares_of(std::span<const StrongClassifier> models) {
  std::vector<std::vector<double>> shares(models[0].families.size());
  for (const StrongClassifier& model : models) {
    const std::vector<double> of_model = alpha_shares(model);
    for (std::size_t k = 0; k < shares.size(); ++k) shares[k].push_back(of_model[k]);
  }
  std::vector<Estimate> estimates;
  for (const std::vector<double>& of_family : shares) estimates.push_back(estimate(of_family));
  return estimates;
}

// A set of families is worth what it leaves of the mean log-loss, in nats, less than nothing; no family takes
// all classes for equally probable.
FamilyGame game_of(SubsetTrainer& trainer, std::span<const std::uint64_t> seeds) {
  FamilyGame game;
  game.num_seeds = seeds.size();
  for (const FamilyInfo& family : trainer.features().families()) game.names.push_back(family.spec.name);
  game.empty_value = -stable_log(double(trainer.dataset().num_classes()));
  game.values = [&trainer, seeds](std::span<const SeededSubset> subsets) -> Result<std::vector<SubsetValue>> {
    std::vector<SubsetJob> jobs;
    for (const SeededSubset& subset : subsets)
      jobs.push_back({subset.families, seeds[subset.seed_idx], false});
    MASH_ASSIGN(const auto runs, trainer.run(jobs));
    std::vector<SubsetValue> values;
    for (const SubsetRun& run : runs) {
      SubsetValue& value = values.emplace_back();
      value.mean = -statistics_of(run.test.losses).mean;
      for (const double loss : run.test.losses) value.of_pictures.push_back(float(-loss));
    }
    return values;
  };
  return game;
}

// REQUIRES: settings.shapley.
Status add_shapley_values(SubsetTrainer& trainer, const ContributionSettings& settings,
                          PoolContribution& pool) {
  MASH_ASSIGN(pool.shapley, shapley_values(game_of(trainer, settings.seeds), *settings.shapley));
  for (std::size_t k = 0; k < pool.families.size(); ++k) pool.families[k].shapley = pool.shapley->families[k];
  return Done{};
}

}  // namespace

Result<PoolAnalysis> pool_contribution(SubsetTrainer& trainer, const ContributionSettings& settings) {
  const FamilySubset all = all_families(trainer);
  const Likeness likeness = likeness_of(
      all_sampled_columns(trainer.features(), settings.similarity, trainer.workers()), trainer.workers());
  PoolAnalysis analysis;
  PoolContribution& pool = analysis.contribution;
  pool.seeds = settings.seeds;
  pool.constant_error = constant_error_of(trainer.dataset());

  struct Wanted {
    std::size_t alone;
    Trained dropped;
  };
  WantedRuns runs(settings.seeds);
  const std::size_t full = runs.want(all, true);
  std::vector<Wanted> wanted;
  for (const std::size_t k : all) {
    FamilyContribution& family = pool.families.emplace_back();
    family.name = trainer.features().families()[k].spec.name;
    family.cost = cost_of(trainer.features(), FamilySubset{k});
    for (const Neighbour& neighbour : neighbours_of(likeness, k, all))
      if (neighbour.family_idx != k) family.neighbours.push_back(neighbour);
    wanted.push_back(
        {runs.want({k}), want(runs, trainer, settings.seeds, all_but(FamilySubset{k}, all.size()))});
  }
  trainer.expect(
      runs.num_runs() +
      (settings.shapley ? most_inner_subsets(all.size(), *settings.shapley, settings.seeds.size()) : 0));
  MASH_TRY(runs.run(trainer));
  std::vector<FamilySubset> singles;
  for (const std::size_t k : all) singles.push_back({k});
  MASH_ASSIGN(const Credit credit, credit_of(trainer, runs.at(full).models, singles, settings.permutations));
  const std::vector<Estimate> alpha = alpha_shares_of(runs.at(full).models);
  for (const MarginShares& shares : credit.shares)
    pool.mean_margin += shares.mean_margin / double(credit.shares.size());
  pool.pool_error = mean_error(runs.at(full).tests);
  for (const std::size_t k : all) {
    FamilyContribution& family = pool.families[k];
    family.alone_error = mean_error(runs.at(wanted[k].alone).tests);
    family.added = compare_on(trainer.dataset(), wanted[k].dropped.of(runs).tests, runs.at(full).tests);
    family.margin_share = margin_share_of(credit, {k});
    family.alpha_share = alpha[k];
    family.importance = credit.importance[k];
  }
  analysis.all = runs.at(full);
  analysis.cka = likeness.cka;
  std::vector<std::span<const TestRun>> alone;
  for (const std::size_t k : all) alone.push_back(runs.at(wanted[k].alone).tests);
  analysis.uncovered = wrong_in_all(alone, trainer.dataset().test.labels);
  if (settings.shapley) MASH_TRY(add_shapley_values(trainer, settings, pool));
  trainer.finish();
  return analysis;
}

}  // namespace mash
