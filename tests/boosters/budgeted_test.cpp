// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/budgeted.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "tests/boosters/made_booster.hpp"
#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::hypotheses_of;
using testing::learnable_table;
using testing::SettingList;
using testing::Training;
using testing::World;

Result<std::unique_ptr<const Booster>> make(const SettingList& list) {
  return testing::made_booster(make_budgeted, "budgeted", list);
}

Training budgeted(SettingList list) {
  list.emplace_back("scan", "f64");
  return testing::training_with(make(list));
}

const CostSource kRandom{CostSource::Kind::kRandom, 1, 1, ""};

// What the features of a model cost, each once.
double cost_of(const TrainingResult& result, const FeatureCosts& costs) {
  std::set<std::uint32_t> features;
  double cost = 0;
  for (const Hypothesis& hypothesis : hypotheses_of(result))
    for (const Cut& cut : hypothesis.cuts)
      if (!cut.always_holds() && features.insert(cut.feature_idx).second)
        cost += costs.feature(cut.feature_idx);
  return cost;
}

class Rules : public ::testing::TestWithParam<const char*> {
 protected:
  SettingList list(const char* budget, const char* costs = "random") const {
    return {{"rule", GetParam()}, {"budget", budget}, {"costs", costs}, {"rounds", "80"}};
  }
};

// T-H4.
TEST_P(Rules, NeverSpendMoreThanTheBudget) {
  World world(learnable_table(200, 40, 3, 5));
  const FeatureCosts costs = *costs_of(kRandom, world.features());
  for (const char* budget : {"0.5", "3", "12"}) {
    for (const char* skip : {"false", "true"}) {
      SettingList settings = list(budget);
      settings.emplace_back("skip_unaffordable", skip);
      Training training = budgeted(settings);
      const TrainingResult result = training.run(world);
      EXPECT_LE(cost_of(result, costs), std::stod(budget) + 1e-9) << budget << skip;
    }
  }
}

TEST_P(Rules, SameModelForAnyThreadsAndAfterAnInterruption) {
  World world(learnable_table(200, 40, 3, 5)), three(learnable_table(200, 40, 3, 5), 3);
  for (const char* sampler : {"full", "uniform.naive", "laminating"}) {
    Training whole = budgeted(list("12")), threads = budgeted(list("12")), cut = budgeted(list("12"));
    whole.sampler = threads.sampler = cut.sampler = sampler;
    const TrainingResult expected = whole.run(world);
    ASSERT_GT(expected.num_rounds, 5u);
    EXPECT_EQ(threads.run(three).model, expected.model) << sampler;
    testing::ScratchFolder folder;
    cut.checkpoint = folder / "run.ckpt";
    cut.stop_after = 4;
    EXPECT_EQ(cut.run(world).status, TrainingStatus::kStopped);
    cut.stop_after = 0;
    const TrainingResult resumed = cut.run(world);
    EXPECT_EQ(resumed.model, expected.model) << sampler;
    EXPECT_EQ(resumed.status, expected.status) << sampler;
  }
}

// T-H1: with equal costs all rules choose by the edge, as AdaBoost.MH does until the budget is spent.
TEST_P(Rules, WithEqualCostsChooseByTheEdge) {
  World world(learnable_table(200, 30, 3, 5));
  Training by_edge = budgeted({{"rule", "adaboost-bt"}, {"budget", "6"}, {"costs", "1"}, {"rounds", "80"}});
  Training training = budgeted(list("6", "1")), plain;
  const TrainingResult result = training.run(world);
  EXPECT_EQ(result.model, by_edge.run(world).model);
  EXPECT_EQ(cost_of(result, *costs_of({}, world.features())), 6);
  plain.booster.num_rounds = 1;
  plain.booster.scan = ScanMode::kF64;
  plain.run(world);
  EXPECT_NEAR(training.events.rounds[0].edge, plain.events.rounds[0].edge, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, Rules,
                         ::testing::Values("adaboost-bt", "greedy", "hybrid", "smoothed", "speedboost"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

// The rule by its definition: of all stumps the one of the largest -ln(1 - edge^2) / (spent + cost).
TEST(Budgeted, ChoosesByItsRule) {
  World world(learnable_table(150, 12, 2, 5));
  const FeatureCosts costs = *costs_of(kRandom, world.features());
  Training training =
      budgeted({{"rule", "smoothed"}, {"costs", "random"}, {"budget", "8"}, {"rounds", "30"}});
  const TrainingResult result = training.run(world);
  std::vector<double> weights(150, 1.0 / 150);
  std::set<std::uint32_t> paid;
  double spent = 0;
  for (const Hypothesis& hypothesis : hypotheses_of(result)) {
    double best = -1;
    std::uint32_t best_feature = 0;
    for (std::uint32_t f = 0; f < 12; ++f) {
      const auto codes = world.features().column(Side::kTrain, f).codes;
      double edge = 0;
      for (std::uint32_t cut = 0; cut <= world.features().num_cuts(f); ++cut) {
        double sum = 0;
        for (std::size_t n = 0; n < 150; ++n)
          sum += (codes[n] >= cut) == (world.dataset.train.labels[n] == 1) ? weights[n] : -weights[n];
        edge = std::max(edge, std::abs(sum));
      }
      const double merit = -std::log(1 - edge * edge) / (spent + costs.feature(f));
      if (merit > best) best = merit, best_feature = f;
    }
    ASSERT_EQ(hypothesis.cuts[0].feature_idx, best_feature);
    if (paid.insert(best_feature).second) spent += costs.feature(best_feature);
    double total = 0;
    for (std::size_t n = 0; n < 150; ++n) {
      const bool holds =
          hypothesis.cuts[0].holds(world.dataset.train.values[n * 12 + hypothesis.cuts[0].feature_idx]);
      const double vote = holds ? hypothesis.votes[1] : -hypothesis.votes[1];
      weights[n] *= std::exp(-hypothesis.alpha * vote * (world.dataset.train.labels[n] == 1 ? 1 : -1));
      total += weights[n];
    }
    for (double& weight : weights) weight /= total;
  }
  EXPECT_GT(hypotheses_of(result).size(), 5u);
}

// A sampler that draws one feature or four of forty hardly ever draws the two that are paid for.
TEST(Budgeted, ComparesWhatIsPaidForInEveryRound) {
  World world(learnable_table(200, 40, 3, 5));
  for (const auto& [sampler, drawn] : {std::pair{"uniform.naive", "1"}, std::pair{"laminating", "4"}}) {
    Training training = budgeted({{"rule", "adaboost-bt"},
                                  {"costs", "1"},
                                  {"budget", "2"},
                                  {"cost_mode", "marginal"},
                                  {"skip_unaffordable", "true"},
                                  {"rounds", "60"}});
    training.sampler = sampler;
    training.sampler_settings = {{"features", drawn}};
    const TrainingResult result = training.run(world);
    ASSERT_EQ(result.num_rounds, 60u) << sampler;
    EXPECT_EQ(cost_of(result, *costs_of({}, world.features())), 2) << sampler;
    std::set<std::uint32_t> late;
    for (std::size_t round = 10; round < 60; ++round) {
      EXPECT_GT(training.events.rounds[round].edge, 0) << sampler << round;
      late.insert(training.events.rounds[round].cuts[0].feature_idx);
    }
    EXPECT_EQ(late.size(), 2u) << sampler << ": both are compared";
    EXPECT_EQ(result.families[0].offered, 60 * std::stoull(drawn)) << "what is compared again is no offer";
  }
}

TEST(Budgeted, TellsThatTheBudgetIsSpent) {
  World world(learnable_table(150, 12, 2, 5));
  Training training = budgeted({{"rule", "adaboost-bt"}, {"costs", "1"}, {"budget", "2"}});
  const TrainingResult result = training.run(world);
  EXPECT_EQ(result.status, TrainingStatus::kBudgetSpent);
  EXPECT_EQ(to_string(result.status), "budget spent");
  EXPECT_EQ(training.events.rounds.back().alpha, 0) << "what cost too much was not added";
}

TEST(Budgeted, ReadsCostsFromAFile) {
  World world(learnable_table(150, 12, 2, 5));
  const auto path = world.folder / "costs.csv";
  std::ofstream(path) << "family,feature,cost\ncolumns,setup,1\ncolumns,*,100\ncolumns,3,0.5\nother,*,2\n";
  Training training = budgeted({{"costs", path.string()}, {"budget", "2"}, {"skip_unaffordable", "true"}});
  const TrainingResult result = training.run(world);
  for (const Hypothesis& hypothesis : hypotheses_of(result))
    EXPECT_TRUE(hypothesis.is_constant() || hypothesis.cuts[0].feature_idx == 3u);
  std::ofstream(path) << "columns,*,expensive\n";
  const auto refused = training.try_run(world.dataset, world.features(), world.workers);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kInput);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("costs.csv:1: column cost"));
}

TEST(Budgeted, GivesTheModelItsCosts) {
  World world(learnable_table(100, 20, 3, 5));
  Training training = budgeted({{"costs", "random"}, {"budget", "5"}, {"rounds", "20"}});
  const TrainingResult result = training.run(world);
  const StrongClassifier& model = *result.model.additive();
  ASSERT_TRUE(model.costs);
  const FeatureCosts costs = *costs_of(kRandom, world.features());
  const ModelFamilyCosts& family = model.costs->families.at(0);
  ASSERT_EQ(family.features, needed_features(model)[0]);
  for (std::size_t i = 0; i < family.features.size(); ++i)
    EXPECT_EQ(family.costs[i], costs.feature(family.features[i]));
}

TEST(Budgeted, RefusesWrongSettings) {
  for (const SettingList& wrong : std::vector<SettingList>{{{"rule", "cheap"}},
                                                           {{"budget", "-1"}},
                                                           {{"cost_mode", "all"}},
                                                           {{"tau", "-1"}},
                                                           {{"price", "1"}}}) {
    const auto made = make(wrong);
    ASSERT_FALSE(made.ok()) << wrong[0].first;
    EXPECT_EQ(made.error().kind, ErrorKind::kInput);
    EXPECT_THAT(made.error().message, ::testing::HasSubstr(wrong[0].first));
  }
}

}  // namespace
}  // namespace mash
