// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/rows.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "tests/online/hypothesis_scores.hpp"
#include "tests/online/online_world.hpp"

namespace mash {
namespace {

using testing::booster_of;
using testing::noisy_examples;
using testing::score_of;
using testing::show;
using testing::SignedExample;
using testing::task_of;
using testing::TrialRow;

// Promises of every online booster.
class AnyOnlineBooster : public ::testing::TestWithParam<TrialRow> {
 protected:
  std::unique_ptr<OnlineBooster> make(std::uint32_t num_features, std::uint64_t seed = 1) const {
    return booster_of(GetParam().name, GetParam().assignments, task_of(num_features, seed));
  }
};

INSTANTIATE_TEST_SUITE_P(Rows, AnyOnlineBooster, ::testing::ValuesIn(testing::trial_rows()),
                         [](const auto& info) {
                           std::string name = fmt::format("{}_{}", info.index, info.param.name);
                           for (char& c : name)
                             if (c == '-' || c == '.') c = '_';
                           return name;
                         });

// On both features the signs are apart, with + above 1 and - below 0.6. But one + in ten lies ten times as
// far out, so that the midpoint of the means is no good threshold until weights say which examples it misses.
SignedExample example_with_outliers(RandomStream& stream) {
  SignedExample example{{}, stream.uniform() < 0.5 ? 1 : -1};
  for (int j = 0; j < 2; ++j) {
    double x = stream.uniform(0, 0.6) + (example.sign > 0 ? 1 : 0);
    if (example.sign > 0 && stream.uniform() < 0.1) x *= 10;
    example.x.push_back(float(x));
  }
  return example;
}

// Thresholds from 0 to 1.9 on both features.
std::vector<OnlineStump> learners_from_0_to_2() {
  std::vector<OnlineStump> learners;
  for (int i = 0; i < 20; ++i)
    for (const std::uint32_t feature : {0u, 1u})
      learners.emplace_back(FeatureStump{feature, 0.1f * float(i), 1});
  return learners;
}

TEST_P(AnyOnlineBooster, IsBetterThanTheStumpsThatLearnAlone) {
  const auto booster = booster_of(GetParam().name, GetParam().assignments, {1, 2, learners_from_0_to_2()});
  std::vector<OnlineStump> alone{OnlineStump(0), OnlineStump(1)};
  RandomStream stream(1, "test.outliers");
  double num_wrong = 0, num_wrong_alone[2] = {0, 0};
  for (int i = 0; i < 3000; ++i) {
    const SignedExample example = example_with_outliers(stream);
    if (i >= 1000) num_wrong += score_of(*booster, example.x) * example.sign <= 0;
    for (const std::uint32_t feature : {0u, 1u}) {
      const float x = example.x[feature];
      if (i >= 1000) num_wrong_alone[feature] += alone[feature].now().answer(x) != example.sign;
      alone[feature].learn(x, example.sign, 1);
    }
    show(*booster, example);
  }
  EXPECT_LT(num_wrong, 0.7 * std::min(num_wrong_alone[0], num_wrong_alone[1]));
}

TEST_P(AnyOnlineBooster, GoesOnFromItsStateToTheBit) {
  const auto whole = make(30), resumed = make(30);
  const auto examples = noisy_examples(400, 30, 1);
  for (std::size_t i = 0; i < 200; ++i) show(*whole, examples[i]);
  resumed->restore(whole->state());
  EXPECT_EQ(resumed->state(), whole->state());
  for (std::size_t i = 200; i < 400; ++i) {
    ASSERT_TRUE(std::equal(resumed->features().begin(), resumed->features().end(), whole->features().begin(),
                           whole->features().end()));
    ASSERT_EQ(score_of(*resumed, examples[i].x), score_of(*whole, examples[i].x));
    show(*whole, examples[i]);
    show(*resumed, examples[i]);
  }
  EXPECT_EQ(resumed->state(), whole->state());
}

// Also where the base learners that it was made with are not those of the state.
TEST_P(AnyOnlineBooster, TakesItsFeaturesFromItsState) {
  const auto whole = make(30);
  const auto examples = noisy_examples(60, 30, 1);
  for (const auto& example : examples) show(*whole, example);
  OnlineTask task = task_of(30, 1);
  for (OnlineStump& stump : task.learners) stump = OnlineStump(FeatureStump());
  const auto resumed = booster_of(GetParam().name, GetParam().assignments, task);
  resumed->restore(whole->state());
  EXPECT_TRUE(std::equal(resumed->features().begin(), resumed->features().end(), whole->features().begin(),
                         whole->features().end()));
  for (const auto& example : examples) EXPECT_EQ(score_of(*resumed, example.x), score_of(*whole, example.x));
}

TEST_P(AnyOnlineBooster, IsItsModel) {
  const auto booster = make(30);
  for (const auto& example : noisy_examples(300, 30, 1)) show(*booster, example);
  const std::vector<double> votes{-1, 1};
  const auto terms = booster->terms();
  const auto hypotheses = as_hypotheses(terms, votes, [](std::uint32_t feature) {
    return Cut{0, feature, 0};
  });
  auto examples = noisy_examples(100, 30, 2);
  for (std::size_t i = 0; i < examples.size(); i += 7)
    examples[i].x.assign(30, std::numeric_limits<float>::quiet_NaN());
  bool says_something = false;
  for (const auto& example : examples) {
    const double score = score_of(*booster, example.x);
    const auto scores = testing::scores_of(hypotheses, 2, example.x);
    ASSERT_NEAR(scores[1], score, 1e-12 * (1 + std::abs(score)));
    ASSERT_NEAR(scores[0], -score, 1e-12 * (1 + std::abs(score)));
    says_something |= score != 0;
  }
  EXPECT_TRUE(says_something);
}

TEST_P(AnyOnlineBooster, LearnsFromWhatHasGaps) {
  const auto booster = make(10);
  RandomStream stream(1, "test.gaps");
  for (auto example : noisy_examples(500, 10, 1)) {
    for (float& x : example.x) {
      const double u = stream.uniform();
      if (u < 0.3) x = std::numeric_limits<float>::quiet_NaN();
      if (u > 0.98) x = std::numeric_limits<float>::infinity();
    }
    show(*booster, example);
    ASSERT_TRUE(std::isfinite(score_of(*booster, example.x)));
  }
  for (const StumpTerm& term : booster->terms()) {
    EXPECT_FALSE(std::isnan(term.threshold));
    EXPECT_TRUE(std::isfinite(term.below) && std::isfinite(term.above));
  }
}

TEST_P(AnyOnlineBooster, TakesFeaturesThatSayNothing) {
  const auto booster = make(10);
  for (int i = 0; i < 200; ++i) {
    const float x = i % 2 == 0 ? std::numeric_limits<float>::quiet_NaN() : 1;
    show(*booster, {std::vector<float>(10, x), i % 3 == 0 ? 1 : -1});
    ASSERT_TRUE(std::isfinite(score_of(*booster, std::vector<float>(10, x))));
  }
}

TEST_P(AnyOnlineBooster, PassesOverAnExampleWithoutWeight) {
  const auto booster = make(10);
  const auto examples = noisy_examples(50, 10, 1);
  for (const auto& example : examples) show(*booster, example);
  const auto before = booster->state();
  show(*booster, examples[0], 0);
  EXPECT_EQ(booster->state(), before);
}

TEST_P(AnyOnlineBooster, SaysWhetherItKeepsItsFeatures) {
  const auto booster = make(1000);
  const std::vector<std::uint32_t> before(booster->features().begin(), booster->features().end());
  for (const auto& example : noisy_examples(50, 1000, 1)) show(*booster, example);
  const bool are_kept =
      std::equal(before.begin(), before.end(), booster->features().begin(), booster->features().end());
  EXPECT_EQ(booster->keeps_features(), are_kept);
}

TEST_P(AnyOnlineBooster, RefusesATaskWithoutFeatures) {
  const auto factory = testing::factory_of(GetParam().name, GetParam().assignments);
  ASSERT_TRUE(factory.ok());
  const auto refused = (*factory)({1, 0, {}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kInput);
  const bool wants_learners = (*find_online_booster(GetParam().name))->wants_learners;
  EXPECT_EQ(refused.error().message,
            GetParam().name + (wants_learners ? ": found no base learner to begin with, expected one at least"
                                              : ": found no features, expected one at least"));
  EXPECT_EQ((*factory)({1, 5, {}}).ok(), !wants_learners);
}

// Coefficients alone: + where the sum of two skewed features is above 1, which no single threshold says.
// Errors are counted as the examples come, since osboost.ocp goes up and down: its steps are large beside
// what they change.
TEST(FixedStumps, LearnALine) {
  for (const char* name : {"osboost.exp", "osboost.ocp", "oza-russell"}) {
    const auto booster = booster_of(name, {}, {1, 2, learners_from_0_to_2()});
    const auto stumps = learners_from_0_to_2();
    RandomStream stream(1, "test.line");
    double num_wrong = 0;
    std::vector<double> num_wrong_alone(stumps.size());
    for (int i = 0; i < 4000; ++i) {
      SignedExample example;
      for (int j = 0; j < 2; ++j) {
        const double u = stream.uniform();
        example.x.push_back(float(2 * u * u));
      }
      example.sign = example.x[0] + example.x[1] > 1 ? 1 : -1;
      if (i >= 2000) {
        num_wrong += score_of(*booster, example.x) * example.sign <= 0;
        for (std::size_t m = 0; m < stumps.size(); ++m)
          num_wrong_alone[m] += stumps[m].now().answer(example.x[stumps[m].now().feature]) != example.sign;
      }
      show(*booster, example);
    }
    EXPECT_LT(num_wrong, 0.7 * *std::min_element(num_wrong_alone.begin(), num_wrong_alone.end())) << name;
  }
}

TEST(OnlineRows, StandInTheOrderOfTheirNamesAndAreAllTried) {
  std::set<std::string> tried;
  for (const TrialRow& row : testing::trial_rows()) tried.insert(row.name);
  std::vector<std::string> names;
  for (const OnlineRow& row : online_boosters()) {
    names.emplace_back(row.name);
    EXPECT_TRUE(tried.contains(names.back())) << names.back();
  }
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(names.size(), tried.size());
}

TEST(OnlineRows, UnknownNameListsTheKnown) {
  const auto found = find_online_booster("oza-rusell");
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message.find("did you mean 'oza-russell'?"), std::string::npos)
      << found.error().message;
}

}  // namespace
}  // namespace mash
