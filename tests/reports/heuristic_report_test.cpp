// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic_report.hpp"

#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/reports/heuristic_report_sample.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Whether something is at least as good in both ways and better in one.
bool is_beaten(const CostPoint& point, const std::vector<CostPoint>& points) {
  for (const CostPoint& other : points) {
    const bool is_cheaper =
        other
            .microseconds_per_image<point.microseconds_per_image, is_dearer = other.microseconds_per_image>
                point.microseconds_per_image,
               is_of_more_use = other.margin_share > point.margin_share,
               is_of_less_use = other.margin_share < point.margin_share;
    if ((is_cheaper && !is_of_less_use) || (is_of_more_use && !is_dearer)) return true;
  }
  return false;
}

RC_GTEST_PROP(CostFront, HasWhatNothingBeats, (const std::vector<std::pair<int, int>>& places)) {
  std::vector<CostPoint> points;
  // Few different values, so that many are equal; marked wrongly to begin with.
  for (const auto& [cost, use] : places)
    points.push_back({"", double(cost % 5), double(use % 5), false, points.size() % 2 == 0});
  mark_front(points);
  bool is_any = false;
  for (const CostPoint& point : points) {
    RC_ASSERT(point.is_on_front == !is_beaten(point, points));
    is_any |= point.is_on_front;
  }
  RC_ASSERT(is_any || points.empty());
}

TEST(CostFront, EqualPointsStandOnItTogether) {
  std::vector<CostPoint> points{{"a", 10, 0.5}, {"b", 10, 0.5}, {"c", 10, 0.4}, {"d", 5, 0.1}, {"e", 6, 0.1}};
  mark_front(points);
  std::vector<bool> marks;
  for (const CostPoint& point : points) marks.push_back(point.is_on_front);
  EXPECT_THAT(marks, ElementsAre(true, true, false, true, false));
}

class HeuristicReportTest : public ::testing::Test {
 protected:
  Dataset data_ = sample::striped_dataset(4, 16, 8);
  HeuristicReport report_ = sample::heuristic_report(data_);
};

TEST_F(HeuristicReportTest, TextBeginsWithTheTrialWhereNothingWasOffered) {
  report_.offer.reset();
  EXPECT_EQ(render_text(report_).find(render_text(report_.trial)), 0u);
  EXPECT_EQ(to_json(report_)["verdict"], to_json(report_.trial)["verdict"]);
  EXPECT_TRUE(to_json(report_)["offer"].is_null());
}

TEST_F(HeuristicReportTest, TextBeginsWithTheOfferAndHasAllParts) {
  const std::string text = render_text(report_);
  EXPECT_EQ(text.find(render_text(*report_.offer)), 0u);
  EXPECT_THAT(text, HasSubstr("\nTrained with and without it\n" + render_figures(report_.trial)));
  for (const char* part :
       {"\nSlices of the test side that change\n", "\nClusters of the mistakes that are left\n",
        "8 images like test image 0, 5 of them class 0 taken for class 1; hog votes most against them\n",
        "\nBest features\n", "12 of 40 features are cut by a model\n", "\nUse\n",
        "rotation    0: 10.0 -> 8.0, 10: 15.0 -> 10.0, 20: 30.0 -> 20.0\n",
        "left out, the error rises +2.00 points; permuted, +1.50 ± 0.20 (s.e.); credit 0.025 ± 0.004 "
        "nats\n",
        "\nHistory on this data set\n", "eeeeeeeeeeee ",
        "\nTo make this again\nmash heuristic build new\nmash report new"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST_F(HeuristicReportTest, TextNamesTheSlicesBeyondChanceOnly) {
  const std::string text = render_text(report_);
  EXPECT_THAT(text, ::testing::ContainsRegex("\nclass +class 0 .* 0\\.012\n"));
  EXPECT_THAT(text, HasSubstr("highest fifth"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("lowest fifth")));
  report_.slices.resize(2);
  report_.slices.erase(report_.slices.begin());
  EXPECT_THAT(render_text(report_), HasSubstr("none of 1 slices changes beyond chance"));
}

TEST_F(HeuristicReportTest, TextWithoutDataSaysSo) {
  HeuristicReport empty;
  empty.trial = report_.trial;
  empty.trial.contribution.family.shapley.reset();
  const std::string text = render_text(empty);
  EXPECT_THAT(text, HasSubstr("no mistake is left\n"));
  EXPECT_THAT(text, HasSubstr("\nBest features\nnone\n"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("credit")));
}

TEST_F(HeuristicReportTest, JsonHasWhatTheTrialHasAndAllParts) {
  const auto json = to_json(report_);
  const auto of_trial = to_json(report_.trial);
  for (const auto& [key, value] : of_trial.items()) {
    const bool is_of_the_offer = key == "verdict" || key == "advice";
    EXPECT_EQ(json[key], is_of_the_offer ? json["offer"][key] : value) << key;
  }
  EXPECT_EQ(json["offer"], to_json(*report_.offer));
  EXPECT_EQ(json["shapley"]["mean"], 0.025);
  EXPECT_EQ(json["curve_with"][8]["round"], 100);
  EXPECT_NEAR(json["curve_without"][8]["test_error"]["mean"].get<double>(), 0.105, 1e-12);
  EXPECT_EQ(json["slices"].size(), 3u);
  EXPECT_EQ(json["slices"][0]["p_corrected"], 0.012);
  EXPECT_THAT(json["mistake_clusters"][1]["examples"].get<std::vector<int>>(), ElementsAre(1, 3, 5));
  EXPECT_EQ(json["mistake_clusters"][1]["medoid"], 3);
  EXPECT_EQ(json["mistake_clusters"][1]["margin_shares"]["zernike"], -0.2);
  EXPECT_EQ(json["use"]["rounds"].size(), 10u);
  EXPECT_EQ(json["use"]["rounds"][1]["first"], 11);
  EXPECT_NEAR(json["use"]["rounds"][1]["alpha_share"].get<double>(), 0.235, 1e-12);
  EXPECT_EQ(json["best_features"][0]["family"], "<b>&");
  EXPECT_EQ(json["best_features"][0]["histograms"].size(), 4u);
  EXPECT_EQ(json["feature_use"]["used"], 12);
  EXPECT_EQ(json["robustness"][0]["unit"], "degrees");
  EXPECT_EQ(json["robustness"][0]["points"][2]["error_with"], 0.2);
  EXPECT_EQ(json["cost_front"][3]["own"], true);
  EXPECT_EQ(json["history"][1]["version"], "1.2.0");
  EXPECT_EQ(json["history"][0]["gain"]["ci95"], 0.02);
  EXPECT_EQ(json["provenance"]["commands"].size(), 2u);
}

}  // namespace
}  // namespace mash
