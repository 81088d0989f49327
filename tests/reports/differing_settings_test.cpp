// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/differing_settings.hpp"

#include <gmock/gmock.h>

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

const SettingsOfRun kTen{{"booster.name", "adaboost.mh"},
                         {"booster.rounds", "100"},
                         {"sampler.budget", "10"},
                         {"sampler.name", "laminating"},
                         {"seed", "1"}};

SettingsOfRun with(SettingsOfRun settings, const std::string& key, const std::string& value) {
  settings[key] = value;
  return settings;
}

TEST(DifferingSettings, AreThoseThatAreNotTheSameInAllRows) {
  const SettingsOfRun rows[] = {kTen, with(kTen, "sampler.budget", "5"), kTen};
  const auto differing = differing_settings(rows, {});
  EXPECT_THAT(differing[0], ElementsAre(Pair("sampler.budget", "10")));
  EXPECT_THAT(differing[1], ElementsAre(Pair("sampler.budget", "5")));
  EXPECT_EQ(differences_in_words(differing[2]), "sampler.budget 10");
}

TEST(DifferingSettings, AreNoSeedsNamesAndShownKeys) {
  const SettingsOfRun rows[] = {
      kTen, with(with(with(kTen, "seed", "2"), "booster.name", "budgeted"), "sampler.budget", "5")};
  constexpr std::string_view kShown[] = {"sampler.budget"};
  for (const DifferingSettings& row : differing_settings(rows, kShown)) EXPECT_THAT(row, IsEmpty());
}

// A budget of another sampler means something else: the sampler differs, not the budget.
TEST(DifferingSettings, OfAPartAreComparedWhereItsNameIsTheSame) {
  const SettingsOfRun other = with(with(kTen, "sampler.name", "mas.naive"), "sampler.budget", "5");
  const SettingsOfRun rows[] = {kTen, other, with(other, "sampler.budget", "7")};
  const auto differing = differing_settings(rows, {});
  EXPECT_THAT(differing[0], IsEmpty());
  EXPECT_EQ(differences_in_words(differing[1]), "sampler.budget 5");
  EXPECT_EQ(differences_in_words(differing[2]), "sampler.budget 7");
}

// Rows hold no defaults of their data sets, which are many.
TEST(DifferingSettings, OfADataSetAreToldWhereTheyAreNoDefaults) {
  const SettingsOfRun plain = with(with(kTen, "dataset.name", "folder"), "dataset.path", "flowers");
  const SettingsOfRun rows[] = {plain, with(plain, "dataset.resize.height", "32"),
                                with(kTen, "dataset.name", "digits")};
  const auto differing = differing_settings(rows, {});
  EXPECT_THAT(differing[0], IsEmpty());
  EXPECT_EQ(differences_in_words(differing[1]), "dataset.resize.height 32");
  EXPECT_THAT(differing[2], IsEmpty()) << "another data set";
}

TEST(DifferingSettings, OfARunOfAnEarlierVersionAreUnknown) {
  const SettingsOfRun rows[] = {{}, kTen, with(kTen, "booster.rounds", "200")};
  const auto differing = differing_settings(rows, {});
  EXPECT_THAT(differing[0], IsEmpty());
  EXPECT_EQ(differences_in_words(differing[1]), "booster.rounds 100");
}

TEST(DifferingSettings, ALongValueIsToldOnce) {
  const std::string list = "color-moments; fourier; hog; hog-oriented; lbp";
  const DifferingSettings rows[] = {
      {{"heuristics", list}, {"sampler.budget", "5"}}, {{"heuristics", "all"}}, {{"heuristics", list}}};
  const std::string names[] = {"3", "4", "5"};
  EXPECT_THAT(differences_in_words(rows, names), ElementsAre("heuristics " + list + ", sampler.budget 5",
                                                             "heuristics all", "heuristics as of 3"));
}

}  // namespace
}  // namespace mash
