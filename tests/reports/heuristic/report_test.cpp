// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/report.hpp"

#include <nlohmann/json.hpp>

#include "tests/reports/heuristic/report_sample.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class HeuristicReportTest : public ::testing::Test {
 protected:
  Dataset data_ = sample::striped_dataset(4, 16, 8);
  HeuristicReport report_ = sample::heuristic_report(data_);
};

TEST_F(HeuristicReportTest, TextBeginsWithTheOfferAndHasAllParts) {
  const std::string text = render_text(report_);
  EXPECT_EQ(text.find(render_text(report_.offer)), 0u);
  for (const char* part :
       {"\nClasses that it tells better or worse from others\n",
        "\nSlices of the held-out pictures that change\n",
        "\nPictures that change most\n+0.500 %  training image 0, class 0: was taken for class 1, is now "
        "right "
        "(probability of class 0: 25 %, now 75 %)\n",
        "\nBest features\n", "12 of 40 features won a round\n", "\nVersions of it beside this pool\n",
        "1.1.0 ", "\nOther heuristics of this pool\n",
        "\nTo make this again\nmash heuristic build new\nmash report new"})
    EXPECT_THAT(text, HasSubstr(part));
}

// Two builds of one version, of which the older one was tried again.
TEST_F(HeuristicReportTest, ListsVersionsByTimeWithSettingsAndBuild) {
  auto& history = report_.offer.history;
  ASSERT_EQ(history.size(), 2u);
  history[0].measured_at = "2026-01-02T08:00:00Z";
  history[1].measured_at = "2026-01-01T08:00:00Z";
  for (PastOffer& past : history) past.offer.version = "1.0.0";
  history[0].offer.settings = "cells=8";
  history[1].offer.settings = "cells=4";
  history[0].offer.plugin_sha256 = std::string(64, 'b');
  history[1].offer.plugin_sha256 = std::string(64, 'a');
  EXPECT_THAT(render_text(report_),
              ::testing::ContainsRegex("1\\.0\\.0 +aaaaaaaaaaaa +2026-01-01[^\n]* cells=4\n"
                                       "1\\.0\\.0 +bbbbbbbbbbbb +2026-01-02[^\n]* cells=8\n"));
  for (PastOffer& past : history) past.offer.settings = "cells=8";
  EXPECT_THAT(render_text(report_), ::testing::ContainsRegex("aaaaaaaaaaaa +2026-01-01[^\n]* [a-z]+\n"))
      << "told in the first line of the report";
}

TEST_F(HeuristicReportTest, SaysWhichPoolWasTrainedWithTheHeuristic) {
  EXPECT_THAT(render_text(report_), ::testing::Not(HasSubstr("Base own")));
  report_.others[1].offer.base = kSharedBase;
  const std::string text = render_text(report_);
  EXPECT_THAT(text, ::testing::ContainsRegex("\nhog .* shared +adds"));
  EXPECT_THAT(text, ::testing::ContainsRegex("\nlbp .* own +undecided"));
  EXPECT_THAT(text, HasSubstr(fmt::format("\n{}\n", kBasesMeaning)));
  const auto json = to_json(report_);
  EXPECT_EQ(json["others"][0]["base"], "own");
  EXPECT_EQ(json["others"][1]["base"], "shared");
  EXPECT_EQ(json["history"][0]["base"], "own");
}

TEST_F(HeuristicReportTest, TextNamesWhatIsBeyondChanceOnly) {
  const std::string text = render_text(report_);
  EXPECT_THAT(text, ::testing::ContainsRegex("\nclass 1 +class 0 +0\\.8 "));
  EXPECT_THAT(text, ::testing::Not(::testing::ContainsRegex("\nclass 1 +class 2 ")));
  EXPECT_THAT(text, ::testing::ContainsRegex("\ncontrast +lowest fifth .* 0\\.01"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("brightness")));
  report_.slices.resize(1);
  report_.rivals.resize(3);
  EXPECT_THAT(render_text(report_), HasSubstr("none of 1 slices changes beyond chance"));
  EXPECT_THAT(render_text(report_), HasSubstr("none of 3 pairs changes beyond chance"));
}

TEST_F(HeuristicReportTest, PicturesAreNamedByTheSizeOfTheirChange) {
  const MostChanged most = most_changed(report_, 3);
  std::vector<std::uint32_t> better, worse;
  for (const PictureChange& picture : most.better) better.push_back(picture.example);
  for (const PictureChange& picture : most.worse) worse.push_back(picture.example);
  EXPECT_THAT(better, ElementsAre(0, 1, 2));
  EXPECT_THAT(worse, ElementsAre(15, 14, 13));
  EXPECT_EQ(most_changed(report_, 100).better.size() + most_changed(report_, 100).worse.size(), 15u)
      << "one does not change";
}

TEST_F(HeuristicReportTest, WordsSayWhatAPictureWasTakenFor) {
  PictureChange picture{7, 1, {.1, .1, 1, .3, .62, 2, 2}};
  const auto words = [&] { return words_of(picture, report_.offer.pictures.class_names); };
  EXPECT_EQ(words(), "is taken for class 2 before and after (probability of class 1: 30 %, now 62 %)");
  picture.change.predicted_after = 3;
  EXPECT_THAT(words(), ::testing::StartsWith("was taken for class 2, is now taken for class 3 ("));
  picture.change.predicted_before = picture.change.predicted_after = 1;
  EXPECT_THAT(words(), ::testing::StartsWith("is right before and after ("));
}

TEST_F(HeuristicReportTest, JsonHasWhatTheOfferHasAndAllParts) {
  const auto json = to_json(report_);
  const auto of_offer = to_json(report_.offer);
  for (const auto& [key, value] : of_offer.items()) EXPECT_EQ(json[key], value) << key;
  EXPECT_EQ(json["finding"], "adds");
  EXPECT_EQ(json["rivals"].size(), 12u);
  EXPECT_EQ(json["rivals"][3]["class"], "class 1");
  EXPECT_EQ(json["rivals"][3]["rival"], "class 0");
  EXPECT_EQ(json["rivals"][3]["gain"], .8);
  EXPECT_EQ(json["slices"].size(), 3u);
  EXPECT_EQ(json["slices"][1]["p_corrected"], .012);
  EXPECT_EQ(json["pictures"]["better"][0]["example"], 0);
  EXPECT_EQ(json["pictures"]["better"][0]["predicted_before"], "class 1");
  EXPECT_EQ(json["pictures"]["worse"][0]["predicted_after"], "class 0");
  EXPECT_EQ(json["best_features"][0]["family"], "<b>&");
  EXPECT_EQ(json["best_features"][0]["wins"], 7);
  EXPECT_EQ(json["best_features"][0]["histograms"].size(), 4u);
  EXPECT_EQ(json["feature_use"]["used"], 12);
  EXPECT_EQ(json["feature_use"]["wins"][0], 20);
  EXPECT_EQ(json["cost_front"][0]["own"], true);
  EXPECT_EQ(json["history"][1]["version"], "1.2.0");
  EXPECT_EQ(json["history"][0]["gain"]["low"], .4 - .5);
  EXPECT_EQ(json["others"][1]["heuristic"], "hog");
  EXPECT_EQ(json["provenance"]["commands"].size(), 2u);
}

}  // namespace
}  // namespace mash
