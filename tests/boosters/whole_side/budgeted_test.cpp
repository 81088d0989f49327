// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/whole_side/budgeted.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "tests/boosters/made_booster.hpp"
#include "tests/support/heard_remarks.hpp"
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
  return testing::training_with(testing::booster_maker(make_budgeted, "budgeted", list));
}

const CostSource kRandom{CostSource::Kind::kRandom, 1, 1, ""};

// The costs of the features of a model, each once.
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
    const TrainingResult resumed = testing::run_with_an_interruption(cut, world, 4);
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

// 12 columns, of which the first costs next to nothing and tells little.
class CheapColumn : public ::testing::Test {
 protected:
  SettingList list(const char* rule) const {
    return {{"rule", rule}, {"costs", path.string()}, {"budget", "50"}, {"rounds", "40"}};
  }
  CheapColumn() { std::ofstream(path) << "columns,*,5\ncolumns,0,0.01\n"; }

  World world{learnable_table(200, 12, 3, 5)};
  std::filesystem::path path = world.folder / "costs.csv";
  testing::HeardRemarks remarks;
};

TEST_F(CheapColumn, IsAllThatAGreedyRuleBuysAsItTells) {
  for (const char* rule : {"greedy", "speedboost"}) {
    remarks.told.clear();
    Training training = budgeted(list(rule)), cut = budgeted(list(rule));
    training.remarks = cut.remarks = &remarks;
    training.run(world);
    ASSERT_EQ(remarks.told.size(), 1u) << rule;
    EXPECT_THAT(remarks.told[0],
                ::testing::HasSubstr("had a larger edge, and 0.01 of the budget of 50 is spent"));
    EXPECT_THAT(remarks.told[0],
                ::testing::HasSubstr(fmt::format("rule {} finds these too expensive", rule)));
    const testing::ScratchFolder folder;
    cut.checkpoint = folder / "run.ckpt";
    cut.stop_after = 30;
    cut.run(world);
    cut.stop_after = 0;
    cut.run(world);
    EXPECT_EQ(remarks.told.back(), remarks.told.front()) << "also when it was interrupted";
  }
}

TEST_F(CheapColumn, IsNoTrapForARuleThatLooksAtEdgesAlone) {
  Training training = budgeted(list("adaboost-bt"));
  training.remarks = &remarks;
  training.run(world);
  EXPECT_THAT(remarks.told, ::testing::IsEmpty());
}

// Most of the budget is left and most rounds buy nothing, as there is nothing better to buy.
TEST(Budgeted, TellsOfNoTrapWhereNothingBetterIsToBeBought) {
  World few(learnable_table(200, 8, 3, 5)), many(learnable_table(200, 40, 3, 5));
  testing::HeardRemarks remarks;
  for (const auto& [world, sampler] :
       {std::pair{&few, "full"}, std::pair{&many, "full"}, std::pair{&many, "uniform.naive"}})
    for (const char* mode : {"original", "marginal"}) {
      Training training = budgeted({{"costs", "1"},
                                    {"budget", "500"},
                                    {"rounds", "300"},
                                    {"cost_mode", mode},
                                    {"skip_unaffordable", "true"}});
      training.sampler = sampler;
      training.remarks = &remarks;
      training.run(*world);
      EXPECT_THAT(remarks.told, ::testing::IsEmpty()) << sampler << mode;
    }
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
                                                           {{"costs", "-1"}},
                                                           {{"costs", "nan"}},
                                                           {{"costs", "1e400"}},
                                                           {{"costs", "+1"}},
                                                           {{"costs", "no-such-file.csv"}},
                                                           {{"costs", "/"}},
                                                           {{"price", "1"}}}) {
    const auto made = make(wrong);
    ASSERT_FALSE(made.ok()) << wrong[0].first;
    EXPECT_EQ(made.error().kind, ErrorKind::kInput);
    EXPECT_THAT(made.error().message, ::testing::HasSubstr(wrong[0].first));
  }
  EXPECT_EQ(make({{"costs", "randm"}}).error().message,
            "test: costs: found 'randm', expected a number from 0 on, random, or a file; did you mean "
            "'random'?");
}

TEST(Budgeted, RefusesKeysWithoutEffect) {
  for (const SettingList& used :
       std::vector<SettingList>{{{"rule", "smoothed"}, {"tau", "2"}},
                                {{"rule", "hybrid"}, {"tau", "2"}, {"kappa", "1"}},
                                {{"costs", "random"}, {"cost_seed", "2"}},
                                {{"cost_mode", "amortised"}, {"uses_per_setup", "5"}}})
    EXPECT_TRUE(make(used).ok()) << used[1].first;
  for (const auto& [list, message] : std::vector<std::pair<SettingList, const char*>>{
           {{{"rule", "greedy"}, {"tau", "2"}}, "tau: has no effect without rule: smoothed or hybrid"},
           {{{"kappa", "1"}}, "kappa: has no effect without rule: hybrid"},
           {{{"costs", "2"}, {"cost_seed", "2"}}, "cost_seed: has no effect without costs: random"},
           {{{"uses_per_setup", "5"}}, "uses_per_setup: has no effect without cost_mode: amortised"}}) {
    const auto made = make(list);
    ASSERT_FALSE(made.ok()) << message;
    EXPECT_EQ(made.error().message, fmt::format("test: {}", message));
  }
}

}  // namespace
}  // namespace mash
