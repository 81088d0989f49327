// SPDX-License-Identifier: Apache-2.0
#include "classifiers/builtin.hpp"

#include <set>
#include <string>
#include <vector>

namespace mash {
namespace {

Settings settings_of(std::vector<std::pair<std::string, std::string>> pairs) {
  Settings settings;
  for (auto& [key, value] : pairs) settings.add(key, value, "test.yaml:4");
  return settings;
}

TEST(Builtin, NamesAreUniqueAndInOrder) {
  std::vector<std::string_view> boosters, samplers, learners;
  for (const auto& row : builtin_boosters()) boosters.push_back(row.name);
  for (const auto& row : builtin_samplers()) samplers.push_back(row.name);
  for (const auto& row : builtin_weak_learners()) learners.push_back(row.name);
  for (const auto& names : {boosters, samplers, learners}) {
    EXPECT_FALSE(names.empty());
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end(), std::less_equal<std::string_view>()));
  }
  EXPECT_THAT(samplers, ::testing::IsSupersetOf({"full", "laminating", "tasting.1q", "tasting.q1",
                                                 "uniform.1q", "uniform.naive", "uniform.q1"}));
}

TEST(Builtin, EveryRowIsFoundByItsName) {
  for (const auto& row : builtin_boosters()) EXPECT_EQ(*find_booster(row.name), &row);
  for (const auto& row : builtin_samplers()) EXPECT_EQ(*find_sampler(row.name), &row);
  for (const auto& row : builtin_weak_learners()) EXPECT_EQ(*find_weak_learner(row.name), &row);
}

TEST(Builtin, UnknownNamesListTheKnownOnes) {
  const auto sampler = find_sampler("lamnating");
  ASSERT_FALSE(sampler.ok());
  EXPECT_EQ(sampler.error().kind, ErrorKind::kInput);
  EXPECT_THAT(sampler.error().message, ::testing::HasSubstr("unknown sampler 'lamnating'"));
  for (const auto& row : builtin_samplers())
    EXPECT_THAT(sampler.error().message, ::testing::HasSubstr(std::string(row.name)));
  const auto learner = find_weak_learner("");
  ASSERT_FALSE(learner.ok());
  EXPECT_THAT(learner.error().message, ::testing::HasSubstr("stump"));
}

TEST(Builtin, EveryWeakLearnerSaysWhatItIsAndIsMadeWithoutSettings) {
  for (const auto& row : builtin_weak_learners()) {
    EXPECT_GT(row.summary.size(), 10u);
    Settings none;
    EXPECT_TRUE(row.make(none).ok());
  }
}

TEST(BoosterSettings, HaveTheDocumentedDefaults) {
  Settings none;
  const auto booster = make_adaboost_mh(none);
  ASSERT_TRUE(booster.ok());
  EXPECT_EQ((*booster)->num_rounds, 100u);
  EXPECT_EQ((*booster)->loss, LossKind::kExponential);
  EXPECT_EQ((*booster)->init, InitialWeights::kUniform);
  EXPECT_EQ((*booster)->scan.mode, ScanMode::kI16);
  EXPECT_EQ((*booster)->scan.cuts, Cuts::kCodes);
  EXPECT_FALSE((*booster)->stop_on_perfect);
}

TEST(BoosterSettings, ReadEveryChoice) {
  auto settings = settings_of({{"rounds", "7"},
                               {"loss", "logistic"},
                               {"init", "class_balanced"},
                               {"scan", "f64"},
                               {"stop_on_perfect", "true"}});
  const auto booster = make_adaboost_mh(settings);
  ASSERT_TRUE(booster.ok());
  EXPECT_EQ((*booster)->num_rounds, 7u);
  EXPECT_EQ((*booster)->loss, LossKind::kLogistic);
  EXPECT_EQ((*booster)->init, InitialWeights::kClassBalanced);
  EXPECT_EQ((*booster)->scan.mode, ScanMode::kF64);
  EXPECT_TRUE((*booster)->stop_on_perfect);
  EXPECT_TRUE(settings.finish("booster").ok());
  auto balanced = settings_of({{"init", "balanced"}, {"scan", "i8"}});
  EXPECT_EQ((*make_adaboost_mh(balanced))->init, InitialWeights::kBalanced);
  auto i8 = settings_of({{"scan", "i8"}});
  EXPECT_EQ((*make_adaboost_mh(i8))->scan.mode, ScanMode::kI8);
}

TEST(BoosterSettings, RefuseWhatIsWrongAndSayWhere) {
  for (const auto& [key, value, expected] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"rounds", "0", "from 1"},
           {"rounds", "many", "whole number"},
           {"loss", "hinge", "exponential, logistic"},
           {"init", "random", "uniform, balanced"},
           {"scan", "i4", "i16, i8, f64"},
           {"stop_on_perfect", "maybe", "true or false"}}) {
    auto settings = settings_of({{key, value}});
    const auto booster = make_adaboost_mh(settings);
    ASSERT_FALSE(booster.ok()) << key;
    EXPECT_EQ(booster.error().kind, ErrorKind::kInput);
    for (const std::string& part : {std::string("test.yaml:4"), key, value, expected})
      EXPECT_THAT(booster.error().message, ::testing::HasSubstr(part));
  }
}

}  // namespace
}  // namespace mash
