// SPDX-License-Identifier: Apache-2.0
// Promises of every row of the table of samplers; a new row is under test as soon as it is in the table.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "classifiers/builtin.hpp"
#include "classifiers/serving/predictor.hpp"
#include "framework/base/instruction_set.hpp"
#include "tests/contract/run_comparison.hpp"
#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using testing::fingerprint;
using testing::learnable_table;
using testing::Training;
using testing::World;

constexpr int kSeveralThreads[] = {2, 3, 8};

// Four families of different sizes, of which the features say a little about three classes.
std::vector<FakeFamily> drawn_families() {
  const auto value = [](std::uint32_t salt) {
    return [salt](std::uint32_t n, std::uint32_t j) {
      const std::uint32_t noise = (n * 2654435761u + j * 40503u + salt * 977u) >> 8;
      if (noise % 41 == 0) return std::numeric_limits<float>::quiet_NaN();
      return float(noise % 50 + (j % 4 == 0 ? n % 3 * (5 + j % 7) : 0));
    };
  };
  return {{"a", 3, value(1)}, {"b", 40, value(2)}, {"c", 150, value(3)}, {"d", 17, value(4)}};
}

Dataset drawn_examples() {
  std::vector<std::uint16_t> train(900), test(100);
  for (std::size_t n = 0; n < train.size(); ++n) train[n] = std::uint16_t(n % 3);
  for (std::size_t n = 0; n < test.size(); ++n) test[n] = std::uint16_t((train.size() + n) % 3);
  return testing::numbered_images(train, test, 3);
}

class SamplerRow : public ::testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() { world_ = new World(drawn_examples(), drawn_families()); }
  static void TearDownTestSuite() {
    delete world_;
    world_ = nullptr;
  }
  World& world() { return *world_; }

  Training training(std::uint32_t num_rounds = 60) const {
    Training result;
    result.sampler = GetParam();
    result.booster.num_rounds = num_rounds;
    result.booster.recompute_every = 50;
    return result;
  }
  std::string run(Training training, const FeatureSet& features, int num_threads) {
    const Workers workers(num_threads);
    const TrainingResult result = training.run(world().dataset, features, workers);
    return fingerprint(result, training.events);
  }
  std::string run(Training training, int num_threads = 1) {
    return run(std::move(training), world().features(), num_threads);
  }
  void expect_the_same_for_any_number_of_threads(const Training& one) {
    const std::string expected = run(one);
    for (const int num_threads : kSeveralThreads)
      EXPECT_EQ(run(one, num_threads), expected) << num_threads << " threads";
  }

 private:
  static World* world_;
};
World* SamplerRow::world_ = nullptr;

TEST_P(SamplerRow, SameModelForAnyNumberOfThreads) { expect_the_same_for_any_number_of_threads(training()); }

TEST_P(SamplerRow, SameModelOnEveryInstructionSet) {
  const std::string expected = run(training(20));
  for (const char* target : instruction_sets()) {
    ASSERT_TRUE(choose_instruction_set(target));
    EXPECT_EQ(run(training(20)), expected) << target;
  }
  choose_instruction_set("");
}

TEST_P(SamplerRow, SeedDecides) {
  Training first = training(20), other = training(20);
  other.booster.seed = 2;
  EXPECT_EQ(run(first), run(first));
  Settings settings;
  const bool exhaustive = (*(*find_sampler(GetParam()))->make(settings))()->is_exhaustive();
  if (!exhaustive) {
    EXPECT_NE(run(other), run(first));
    return;
  }
  // The seed decides ties alone.
  const auto edges = [&](Training training) {
    std::vector<double> edges;
    training.run(world());
    for (const RoundEvent& event : training.events.rounds) edges.push_back(event.edge);
    return edges;
  };
  EXPECT_THAT(edges(other), ::testing::Pointwise(::testing::DoubleNear(1e-9), edges(first)));
}

// Weights are computed from the scores after round 50.
TEST_P(SamplerRow, ResumedRunEqualsAWholeOne) {
  const std::string expected = run(training());
  for (const std::uint32_t stop_after : {1u, 13u, 49u, 50u, 51u}) {
    Training stopped = training(), resumed = training();
    stopped.checkpoint = resumed.checkpoint =
        world().folder / fmt::format("{}-{}.ckpt", GetParam(), stop_after);
    stopped.stop_after = stop_after;
    EXPECT_NE(run(stopped, 2), expected);
    EXPECT_EQ(run(resumed, 3), expected) << "after round " << stop_after;
  }
}

// Costs of samplers with defaults are comparable: in a round no more than ten features on all examples,
// except for the one that looks at all.
TEST_P(SamplerRow, CostIsWithinTheBudgetEveryRound) {
  Training one = training();
  const TrainingResult result = one.run(world());
  const std::uint64_t num_train = world().features().num_train(),
                      num_features = world().features().num_features();
  Settings settings;
  const bool exhaustive = (*(*find_sampler(GetParam()))->make(settings))()->is_exhaustive();
  const std::uint64_t budget = (exhaustive ? num_features : 10) * num_train;
  std::uint64_t before = 0, largest = 0;
  for (const RoundEvent& event : one.events.rounds) {
    EXPECT_GT(event.cost, before);
    largest = std::max(largest, event.cost - before);
    before = event.cost;
  }
  EXPECT_LE(largest, budget) << "with the default settings a round costs at most 10 x N evaluations";
  EXPECT_EQ(result.meters.fe, before);
  std::uint64_t evaluated = 0;
  for (const FamilyUse& use : result.families) evaluated += use.evaluated;
  EXPECT_EQ(evaluated, result.meters.fe) << "every evaluation is some family's";
}

// A run in words that name families and not their places.
std::string by_name(const World& world, const Training& training) {
  std::string text;
  for (const RoundEvent& event : training.events.rounds)
    for (const Cut& cut : event.cuts)
      text += fmt::format("{} {} {:.9}\n", world.features().families()[cut.family_idx].spec.name,
                          cut.feature_idx, event.alpha);
  return text;
}

// The one row that chooses no family itself.
constexpr const char* kToldItsFamily = "best-family";

// Fairness of Dynamic Heuristic Sampling: families in another order train the same model.
TEST_P(SamplerRow, TheOrderOfFamiliesChangesNothing) {
  const auto trained = [&](const World& on) {
    Training one = training();
    if (GetParam() == kToldItsFamily) one.sampler_settings = {{"family", "b"}};
    one.run(on);
    return by_name(on, one);
  };
  const std::string expected = trained(world());
  std::vector<FakeFamily> order = drawn_families();
  for (const std::size_t turn : {1u, 2u}) {
    std::rotate(order.begin(), order.begin() + std::ptrdiff_t(turn), order.end());
    EXPECT_EQ(trained(World(drawn_examples(), order)), expected);
  }
}

// Two identical families, one of them named first: each wins as often as the other, three sigma of 200 runs.
TEST_P(SamplerRow, CopiesAreChosenEquallyOften) {
  const auto value = [](std::uint32_t n, std::uint32_t j) {
    return float((n * 2654435761u + j * 40503u) >> 20 & 15) + float(n % 3 * (j % 2));
  };
  World copies(testing::numbered_images(testing::random_labels(60, 3, 1), {}, 3),
               {{"one", 6, value}, {"same", 6, value}});
  int num_first = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Training one = training(1);
    one.booster.seed = seed;
    // A sampler that is told one of them takes turns, so that its features are what is compared.
    if (GetParam() == kToldItsFamily) one.sampler_settings = {{"family", seed % 2 ? "one" : "same"}};
    one.run(copies);
    num_first += one.events.rounds.at(0).cuts.at(0).family_idx == 0;
  }
  EXPECT_NEAR(num_first, 100, 3 * std::sqrt(50));
}

TEST_P(SamplerRow, LearnsSomething) {
  Training one = training();
  const TrainingResult result = one.run(world());
  EXPECT_LT(result.curve.back().test_error, 0.4) << "two in three are wrong by chance";
  EXPECT_LT(result.curve.back().train_loss_log10, -0.05);
}

TEST_P(SamplerRow, LazyFamiliesTrainTheSameAsStoredOnes) {
  StoreSettings lazy = world().store;
  lazy.limit = 0;
  const std::string expected = run(training(10));
  for (const int num_threads : {1, 2, 3, 8}) {
    const Workers workers(num_threads);
    const auto features = FeatureSet::open(
        world().specs, lazy,
        {world().host, world().dataset, {workers, no_progress(), no_remarks(), world().stop}});
    ASSERT_TRUE(features.ok());
    EXPECT_EQ(run(training(10), *features, num_threads), expected) << num_threads << " threads";
  }
}

TEST_P(SamplerRow, ModelComesBackFromItsFile) {
  Training one = training();
  const Model model = one.run(world()).model;
  const auto parsed = parse_model(serialise(model));
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_EQ(*parsed, model);
  EXPECT_EQ(serialise(*parsed), serialise(model));
}

TEST_P(SamplerRow, PredictorGivesTheScoresOfTraining) {
  World columns(learnable_table(300, 40, 4, 3));
  Training one = training();
  const TrainingResult result = one.run(columns);
  Catalogue catalogue = Catalogue::scan({});
  const auto predictor = Predictor::open(result.model, catalogue);
  ASSERT_TRUE(predictor.ok()) << predictor.error().message;
  for (const int num_threads : {1, 2, 3, 8}) {
    const auto scores = predictor->scores(columns.dataset.test, Workers(num_threads));
    ASSERT_TRUE(scores.ok()) << scores.error().message;
    EXPECT_EQ(*scores, result.test_scores);
  }
}

// Data at the edge of what there is; all results are finite, and trainings end by themselves.
TEST_P(SamplerRow, DegenerateDataAreLegal) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::pair<const char*, Dataset>> cases{
      {"one class of one", testing::table({1, 2, 3, 4}, {0, 0}, 1, {1, 2}, {0})},
      {"one class of three", testing::table({1, 2, 3, 4}, {1, 1}, 3, {1, 2}, {1})},
      {"constant features",
       testing::table(std::vector<float>(30, 7), std::vector<std::uint16_t>{0, 1, 1}, 2)},
      {"missing features",
       testing::table(std::vector<float>(30, nan), std::vector<std::uint16_t>{0, 1, 1}, 2)},
      {"one example", testing::table({1, 2, 3}, {1}, 2, {1, 2, 3}, {1})},
      {"one feature", testing::table({1, 2, 3, 4, 5, 6}, {0, 1, 0, 1, 1, 0}, 2, {3}, {0})},
      {"separable", testing::table({1, 2, 3, 4, 5, 6}, {0, 0, 0, 1, 1, 1}, 2, {3}, {0})},
      {"more classes than examples", testing::table({1, 2, 3}, {7, 2, 90}, 101, {1}, {7})},
  };
  for (const auto& weak : builtin_weak_learners())
    for (const auto& [name, dataset] : cases) {
      SCOPED_TRACE(fmt::format("{}, {}", weak.name, name));
      World small(dataset);
      Training one = training(150);
      one.weak = testing::WatchingLearner(std::string(weak.name));
      const TrainingResult result = one.run(small);
      EXPECT_GE(result.num_rounds, 1u);
      EXPECT_LE(result.num_rounds, 150u);
      for (const RoundEvent& event : one.events.rounds) {
        EXPECT_TRUE(std::isfinite(event.alpha) && std::isfinite(event.edge) &&
                    std::isfinite(event.train_loss_log10));
        EXPECT_GE(event.edge, 0);
        EXPECT_LE(event.edge, 1 + 1e-9);
      }
      for (const double score : result.test_scores) EXPECT_TRUE(std::isfinite(score));
      EXPECT_TRUE(parse_model(serialise(result.model)).ok());
    }
}

TEST_P(SamplerRow, EveryWeakLearnerTrainsTheSameOnLazyFamilies) {
  StoreSettings lazy = world().store;
  lazy.limit = 0;
  const auto features = FeatureSet::open(world().specs, lazy, world().context());
  ASSERT_TRUE(features.ok());
  for (const auto& row : builtin_weak_learners()) {
    Training one = training(4);
    one.weak = testing::WatchingLearner(std::string(row.name));
    one.booster.loss = &logistic_loss();
    EXPECT_EQ(run(one, *features, 2), run(one)) << row.name;
  }
}

// The other parts of a training, which do the same with any sampler. Three stand for all, which differ in how
// they look at features: all of them on all examples; fewer and fewer on more and more examples; some, by
// what was tasted of their families.
class EveryPartWithSampler : public SamplerRow {
 protected:
  Training with_weak(const WeakLearnerRow& weak) const {
    Training result = training(12);
    result.weak = testing::WatchingLearner(std::string(weak.name));
    return result;
  }
};

TEST_P(EveryPartWithSampler, EveryScanModeTrainsTheSameForAnyNumberOfThreads) {
  for (const ScanMode mode : {ScanMode::kI8, ScanMode::kF64}) {
    Training one = training();
    one.booster.scan = mode;
    expect_the_same_for_any_number_of_threads(one);
  }
}

TEST_P(EveryPartWithSampler, LogisticLossTrainsTheSameForAnyNumberOfThreads) {
  Training one = training(30);
  one.booster.loss = &logistic_loss();
  one.booster.init = InitialWeights::kBalanced;
  expect_the_same_for_any_number_of_threads(one);
}

TEST_P(EveryPartWithSampler, ResumedTwiceIsStillTheSame) {
  Training part = training();
  part.checkpoint = world().folder / (GetParam() + ".ckpt");
  for (const std::uint32_t stop_after : {5u, 20u}) {
    part.stop_after = stop_after;
    run(part);
  }
  part.stop_after = 0;
  EXPECT_EQ(run(part), run(training()));
}

TEST_P(EveryPartWithSampler, EveryWeakLearnerTrainsTheSameForAnyNumberOfThreadsAndAfterAnInterruption) {
  for (const auto& weak : builtin_weak_learners()) {
    SCOPED_TRACE(weak.name);
    expect_the_same_for_any_number_of_threads(with_weak(weak));
    Training stopped = with_weak(weak), resumed = with_weak(weak);
    stopped.checkpoint = resumed.checkpoint =
        world().folder / fmt::format("{}-{}.ckpt", GetParam(), weak.name);
    stopped.stop_after = 7;
    run(stopped, 2);
    EXPECT_EQ(run(resumed, 3), run(with_weak(weak)));
  }
}

TEST_P(EveryPartWithSampler, PredictorGivesTheScoresOfTrainingWithEveryWeakLearner) {
  World columns(learnable_table(300, 40, 4, 3));
  Catalogue catalogue = Catalogue::scan({});
  for (const auto& weak : builtin_weak_learners()) {
    Training one = with_weak(weak);
    one.booster.scan = ScanMode::kI8;
    const TrainingResult result = one.run(columns);
    const auto model = parse_model(serialise(result.model));
    ASSERT_TRUE(model.ok()) << model.error().message;
    const auto predictor = Predictor::open(*model, catalogue);
    ASSERT_TRUE(predictor.ok()) << predictor.error().message;
    EXPECT_EQ(*predictor->scores(columns.dataset.test, Workers(2)), result.test_scores) << weak.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SamplerRow, ::testing::ValuesIn(testing::names_of(builtin_samplers())),
                         testing::test_name);
INSTANTIATE_TEST_SUITE_P(All, EveryPartWithSampler,
                         ::testing::Values("full", "laminating.nested", "tasting.q1"), testing::test_name);

}  // namespace
}  // namespace mash
