// SPDX-License-Identifier: Apache-2.0
#include "classifiers/builtin.hpp"

#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "classifiers/boosters/whole_side/adaboost_mh.hpp"
#include "classifiers/losses/exponential.hpp"

namespace mash {
namespace {

Settings settings_of(std::vector<std::pair<std::string, std::string>> pairs) {
  Settings settings;
  for (auto& [key, value] : pairs) settings.add(key, value, "test.yaml:4");
  return settings;
}

TEST(Builtin, NamesAreUniqueAndInOrder) {
  std::vector<std::string_view> boosters, classifiers, losses, samplers, learners;
  for (const auto& row : builtin_boosters()) boosters.push_back(row.name);
  for (const auto& row : builtin_learners()) classifiers.push_back(row.name);
  for (const auto& row : builtin_losses()) losses.push_back(row.name);
  for (const auto& row : builtin_samplers()) samplers.push_back(row.name);
  for (const auto& row : builtin_weak_learners()) learners.push_back(row.name);
  for (const auto& names : {boosters, classifiers, losses, samplers, learners}) {
    EXPECT_FALSE(names.empty());
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end(), std::less_equal<std::string_view>()));
  }
  // Experiment files and scripts of other people call these.
  EXPECT_THAT(samplers, ::testing::IsSupersetOf({"best-family", "epsilon-greedy", "exp3.p", "full",
                                                 "laminating", "lazyboost", "mas.1q", "mas.naive", "mas.q1",
                                                 "tasting.1q", "tasting.q1", "ucb", "ucbv", "uniform.1q",
                                                 "uniform.naive", "uniform.q1"}));
}

TEST(Builtin, EveryRowIsFoundByItsName) {
  for (const auto& row : builtin_boosters()) EXPECT_EQ(*find_booster(row.name), &row);
  for (const auto& row : builtin_learners()) EXPECT_EQ(*find_learner(row.name), &row);
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

// check(row) for every row of the tables whose rows make something from settings.
template <class Check>
void for_each_row(const Check& check) {
  const auto check_all = [&](std::string_view table, const auto& rows) {
    for (const auto& row : rows) {
      SCOPED_TRACE(fmt::format("{} {}", table, row.name));
      check(row);
    }
  };
  check_all("booster", builtin_boosters());
  check_all("classifier", builtin_learners());
  check_all("sampler", builtin_samplers());
  check_all("weak learner", builtin_weak_learners());
}

TEST(Builtin, EveryRowSaysWhatItIsInOneLine) {
  for_each_row([](const auto& row) {
    EXPECT_GT(row.summary.size(), 10u);
    EXPECT_EQ(row.summary.find('\n'), std::string_view::npos);
  });
}

TEST(Builtin, EveryRowIsMadeWithoutSettingsAndLetsAnUnknownOneBeRefusedByName) {
  for_each_row([](const auto& row) {
    Settings settings = settings_of({{"bogus", "1"}});
    ASSERT_TRUE(make_plain(row, settings).ok());
    const Status status = settings.finish("the part");
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().kind, ErrorKind::kInput);
    for (const char* part : {"test.yaml:4", "the part", "bogus"})
      EXPECT_THAT(status.error().message, ::testing::HasSubstr(part));
    for (const Settings::Known& known : settings.known())
      EXPECT_THAT(status.error().message, ::testing::HasSubstr(known.key));
  });
}

// The booster adaboost.mh with these settings.
Result<std::unique_ptr<const Booster>> make_booster(Settings& settings) {
  return (*find_booster("adaboost.mh"))->make(settings, plain_search());
}

AdaBoostMh::Options options_of(std::vector<std::pair<std::string, std::string>> pairs) {
  auto settings = settings_of(std::move(pairs));
  const auto booster = make_booster(settings);
  EXPECT_TRUE(booster.ok());
  EXPECT_TRUE(settings.finish("booster").ok());
  return dynamic_cast<const AdaBoostMh&>(**booster).options();
}

TEST(AdaBoostMhSettings, HaveTheDocumentedDefaults) {
  const auto options = options_of({});
  EXPECT_EQ(options.rounds.num_rounds, 100u);
  EXPECT_EQ(options.loss, &exponential_loss());
  EXPECT_EQ(options.init, InitialWeights::kUniform);
  EXPECT_EQ(options.scan, ScanMode::kI16);
  EXPECT_FALSE(options.rounds.stop_on_perfect);
}

TEST(AdaBoostMhSettings, ReadEveryChoice) {
  const auto options = options_of({{"rounds", "7"},
                                   {"loss", "logistic"},
                                   {"init", "class_balanced"},
                                   {"scan", "f64"},
                                   {"stop_on_perfect", "true"}});
  EXPECT_EQ(options.rounds.num_rounds, 7u);
  EXPECT_EQ(options.init, InitialWeights::kClassBalanced);
  EXPECT_EQ(options.scan, ScanMode::kF64);
  EXPECT_TRUE(options.rounds.stop_on_perfect);
  EXPECT_EQ(options_of({{"init", "balanced"}}).init, InitialWeights::kBalanced);
  EXPECT_EQ(options_of({{"scan", "i8"}}).scan, ScanMode::kI8);
}

TEST(AdaBoostMhSettings, EveryLossIsTheOneOfItsRow) {
  for (const LossRow& row : builtin_losses())
    EXPECT_EQ(options_of({{"loss", std::string(row.name)}}).loss, &row.loss());
}

TEST(AdaBoostMhSettings, RefuseWhatIsWrongAndSayWhere) {
  std::vector<std::string_view> loss_names;
  for (const LossRow& row : builtin_losses()) loss_names.push_back(row.name);
  for (const auto& [key, value, expected] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"rounds", "0", "from 1"},
           {"rounds", "many", "whole number"},
           {"loss", "nonesuch", fmt::format("{}", fmt::join(loss_names, ", "))},
           {"init", "random", "uniform, balanced"},
           {"scan", "i4", "i16, i8, f64"},
           {"stop_on_perfect", "maybe", "true or false"}}) {
    auto settings = settings_of({{key, value}});
    const auto booster = make_booster(settings);
    ASSERT_FALSE(booster.ok()) << key;
    EXPECT_EQ(booster.error().kind, ErrorKind::kInput);
    for (const std::string& part : {std::string("test.yaml:4"), key, value, expected})
      EXPECT_THAT(booster.error().message, ::testing::HasSubstr(part));
  }
}

}  // namespace
}  // namespace mash
