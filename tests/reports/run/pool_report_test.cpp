// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/run/pool_report.hpp"

#include <nlohmann/json.hpp>

#include "framework/reports/run/page.hpp"
#include "tests/records/sample.hpp"
#include "tests/reports/run/pool_report_sample.hpp"
#include "tests/support/page.hpp"

namespace mash {
namespace {

using mash::testing::count;
using mash::testing::is_well_formed;
using mash::testing::repeated_ids;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// The line of the table that begins so.
std::string line_of(const std::string& text, const std::string& beginning) {
  const std::size_t place = text.find("\n" + beginning);
  if (place == std::string::npos) return "";
  return text.substr(place + 1, text.find('\n', place + 1) - place - 1);
}

class PoolReportTest : public ::testing::Test {
 protected:
  // All sections, as they stand on a page.
  std::string sections() {
    std::string html;
    for (const page::Section& section : pool_sections(report_)) html += section.body.html.markup;
    return html;
  }

  Dataset data_ = sample::striped_dataset(4, 16, 8);
  PoolReport report_ = sample::pool_report(data_);
};

TEST_F(PoolReportTest, TextHasAVerdictOnEveryFamilyTheMostUsefulFirst) {
  const std::string text = render_text(report_);
  EXPECT_THAT(text,
              HasSubstr("Of 4 families, each offered beside the others and judged on 1000 held-out of 6000 "
                        "training pictures: copy: 1, adds: 1, harmful: 1, adds nothing measurable: 1\n"));
  EXPECT_THAT(line_of(text, "hog "), HasSubstr("adds"));
  EXPECT_THAT(line_of(text, "lbp "), HasSubstr("copy"));
  EXPECT_THAT(line_of(text, "<b>& "), HasSubstr("adds nothing measurable"));
  EXPECT_THAT(line_of(text, "zernike "), HasSubstr("harmful"));
  EXPECT_LT(text.find("\nhog "), text.find("\nlbp "));
  EXPECT_LT(text.find("\nlbp "), text.find("\n<b>& ")) << "of equals the first of the experiment";
  EXPECT_LT(text.find("\n<b>& "), text.find("\nzernike "));
  EXPECT_THAT(text, HasSubstr("\nlbp is a copy of <b>&: "));
  EXPECT_THAT(text, HasSubstr("\nzernike is harmful: "));
}

TEST_F(PoolReportTest, WithoutATestThereIsNoVerdict) {
  report_.offers.clear();
  const std::string text = render_text(report_);
  for (const char* word : {"redundant", "useless", "copy", "harmful", "adds nothing"})
    EXPECT_THAT(text, Not(HasSubstr(word)));
  EXPECT_LT(text.find("\nhog "), text.find("\nlbp ")) << "by the loss without it";
  EXPECT_FALSE(to_json(report_)["families"][0].contains("finding"));
  EXPECT_THAT(sections(), HasSubstr("The families could not be tested."));
}

TEST_F(PoolReportTest, FamiliesThatAreNotThoseOfTheRunAreRemarkedOn) {
  report_.remarks = {"hog is another <build>"};
  EXPECT_THAT(render_text(report_), HasSubstr("\nhog is another <build>\n"));
  EXPECT_EQ(to_json(report_)["remarks"][0], "hog is another <build>");
  EXPECT_THAT(pool_sections(report_)[0].body.html.markup, HasSubstr("hog is another &lt;build&gt;."));
}

TEST_F(PoolReportTest, CreditWhoseErrorIsLargeIsNotShown) {
  report_.pool.families[1].shapley = ShapleyValue{0.4, 0.19};
  EXPECT_THAT(line_of(render_text(report_), "hog "), HasSubstr("0.400 ± 0.190 nats"));
  for (const double error : {0.21, std::numeric_limits<double>::infinity()}) {
    report_.pool.families[1].shapley = ShapleyValue{-0.4, error};
    EXPECT_THAT(line_of(render_text(report_), "hog "), HasSubstr("not measured"));
    EXPECT_EQ(to_json(report_)["families"][0]["shapley"]["measured"], false);
  }
  EXPECT_THAT(render_text(report_),
              HasSubstr("Standard errors of credits are over 3 seeds, 12 orders and 16 test pictures; more "
                        "--orders and --seeds make them smaller\n"));
  report_.pool.shapley->num_permutations = 0;
  EXPECT_THAT(render_text(report_), HasSubstr("from all sets of families\n"));
  EXPECT_THAT(render_text(report_),
              HasSubstr("credits are over 3 seeds and 16 test pictures; more --seeds make"));
}

TEST_F(PoolReportTest, OfAMarginThatIsNotAboveZeroNoPartsAreTold) {
  EXPECT_THAT(line_of(render_text(report_), "hog "), HasSubstr("21.00 %"));
  EXPECT_THAT(render_text(report_), Not(HasSubstr("Of the margin: nothing is told")));
  report_.pool.mean_margin = -0.0254;
  for (FamilyContribution& family : report_.pool.families) family.margin_share.reset();
  report_.costs.clear();
  EXPECT_THAT(line_of(render_text(report_), "hog "), Not(HasSubstr(" 0.00 %")));
  EXPECT_TRUE(to_json(report_)["families"][0]["margin_share"]["mean"].is_null());
  EXPECT_TRUE(to_json(report_)["families"][0]["margin_share"]["ci95"].is_null());
  for (const std::string& text : {render_text(report_), sections()})
    EXPECT_THAT(text,
                HasSubstr("nothing is told, as the mean margin of the test examples is not above 0 with "
                          "every seed (on average it is -0.025)"));
}

TEST_F(PoolReportTest, CreditsHaveAnIntervalWhereItIsKnown) {
  EXPECT_TRUE(to_json(report_)["families"][0]["shapley"]["ci95"].is_null());
  report_.pool.families[1].shapley = ShapleyValue{0.4, 0.1, 4};
  EXPECT_NEAR(to_json(report_)["families"][0]["shapley"]["ci95"].get<double>(), 2.7764 * .1, 1e-4);
}

TEST_F(PoolReportTest, GainsSayWhatTheirIntervalsAreAndWhyOthersDiffer) {
  for (const std::string& text : {render_text(report_), sections()})
    EXPECT_THAT(text,
                HasSubstr("Adds: intervals hold with 95 % at all looks of a test together (after 4 seeds "
                          "alone with 99.8 %); the pool was trained with each family"));
  report_.offers.clear();
  EXPECT_THAT(render_text(report_), Not(HasSubstr("Adds: intervals")));
}

TEST_F(PoolReportTest, TextSaysWhatItWasMadeOf) {
  const std::string text = render_text(report_);
  EXPECT_THAT(text,
              HasSubstr("credit: 100 rounds (--rounds), 3 seeds, sampler laminating, budget 5; intervals"));
  EXPECT_THAT(text, HasSubstr("All families together: 10.00 % ± 1.00 test error; always answering the most "
                              "frequent class: 75.00 %"));
  EXPECT_THAT(text, HasSubstr("Credit adds up to 0.650 nats of the log-loss of a test picture, from 12 "
                              "orders of the families\n"));
  EXPECT_THAT(text, HasSubstr("2 of 16 test examples (12.50 %) are missed by every family alone."));
  EXPECT_THAT(
      text,
      HasSubstr(
          "8 mistakes of the pool like test example 0; most often class 0 is taken for class 1 (5 of them)\n"
          "3 mistakes of the pool like test example 3; most often class 1 is taken for class 2 (2 of "
          "them)\n"));
  EXPECT_THAT(text, HasSubstr("36 trainings, 3 found in the records"));
}

TEST_F(PoolReportTest, AValidationErrorIsNoTestError) {
  report_.judging_side = "validation";
  const std::string text = render_text(report_);
  EXPECT_THAT(text, HasSubstr("All families together: 10.00 % ± 1.00 validation error;"));
  EXPECT_THAT(text, HasSubstr("2 of 16 validation examples (12.50 %)"));
  EXPECT_THAT(text, HasSubstr("mistakes of the pool like validation example 0;"));
  EXPECT_EQ(to_json(report_)["judged_by"], "validation");
}

TEST_F(PoolReportTest, AFamilyWithoutOthersHasNoTwin) {
  report_.pool.families[1].neighbours.clear();
  report_.pool.families[1].shapley.reset();
  report_.pool.shapley.reset();
  EXPECT_THAT(render_text(report_), Not(HasSubstr("Credit adds up")));
  const auto json = to_json(report_);
  EXPECT_TRUE(json["families"][0]["shapley"].is_null());
  EXPECT_TRUE(json["shapley"].is_null());
  EXPECT_TRUE(json["families"][0]["neighbours"].empty());
}

TEST_F(PoolReportTest, JsonHasEveryFigure) {
  const auto json = to_json(report_);
  EXPECT_EQ(json["rounds"], 100);
  EXPECT_THAT(json["seeds"].get<std::vector<int>>(), ElementsAre(1, 2, 3));
  EXPECT_EQ(json["sampler"], "laminating, budget 5");
  EXPECT_EQ(json["constant_error"], 0.75);
  EXPECT_EQ(json["pool_error"]["mean"], 0.10);
  EXPECT_EQ(json["pool_error"]["ci95"], 0.01);
  EXPECT_EQ(json["mean_margin"], 0.125);
  EXPECT_THAT(json["uncovered"].get<std::vector<int>>(), ElementsAre(2, 7));
  EXPECT_EQ(json["trainings"], 36);
  EXPECT_EQ(json["trainings_found"], 3);
  EXPECT_EQ(json["shapley"]["total"], 0.65);
  EXPECT_EQ(json["shapley"]["permutations"], 12);
  EXPECT_EQ(json["shapley"]["subsets"], 14);
  EXPECT_EQ(json["shapley"]["seeded_subsets"], 14);
  EXPECT_EQ(json["judged_by"], "test");
  EXPECT_EQ(json["command"], "mash report 3 --rounds 100 --seeds 3");
  ASSERT_EQ(json["clusters"].size(), 2u);
  EXPECT_EQ(json["clusters"][1]["size"], 3);
  EXPECT_EQ(json["clusters"][1]["medoid"], 3);
  EXPECT_EQ(json["clusters"][1]["label"], "class 1");
  EXPECT_EQ(json["clusters"][1]["said"], "class 2");
}

TEST_F(PoolReportTest, JsonOfAFamily) {
  const auto json = to_json(report_);
  std::vector<std::string> names;
  for (const auto& family : json["families"]) names.push_back(family["family"]);
  EXPECT_THAT(names, ElementsAre("hog", "lbp", "<b>&", "zernike"));
  const auto& lbp = json["families"][1];
  EXPECT_EQ(lbp["alone_error"]["mean"], 0.30);
  EXPECT_NEAR(lbp["loss_when_dropped"]["mean"].get<double>(), 0, 1e-15);
  EXPECT_THAT(lbp["losses"].get<std::vector<double>>(), ElementsAre(0.001, -0.002, 0.001));
  EXPECT_EQ(lbp["error_when_dropped"], lbp["loss_when_dropped"]);
  EXPECT_EQ(lbp["errors_when_dropped"], lbp["losses"]);
  EXPECT_THAT(lbp["fixed"].get<std::vector<int>>(), ElementsAre(0, 3, 5));
  EXPECT_THAT(lbp["broken"].get<std::vector<int>>(), ElementsAre(4));
  EXPECT_DOUBLE_EQ(lbp["mcnemar_p_mid"].get<double>(), mcnemar(3, 1).p_mid);
  EXPECT_EQ(lbp["margin_share"]["mean"], 0.21);
  EXPECT_EQ(lbp["alpha_share"]["mean"], 0.24);
  EXPECT_EQ(lbp["permutation_importance"]["standard_error"], 0.002);
  EXPECT_EQ(lbp["shapley"]["mean"], 0.1);
  EXPECT_EQ(lbp["shapley"]["measured"], true);
  EXPECT_EQ(lbp["microseconds_per_image"], 20.0);
  EXPECT_EQ(lbp["neighbours"][0]["family"], "<b>&");
  EXPECT_EQ(lbp["neighbours"][0]["cka"], 0.995);
  EXPECT_EQ(lbp["neighbours"][0]["explained_by_r2"], 0.9);
  EXPECT_EQ(lbp["neighbours"][0]["explains_r2"], 0.8);
  EXPECT_EQ(lbp["finding"], "copy");
  EXPECT_THAT(lbp["verdict"].get<std::string>(), HasSubstr("lbp is a copy of <b>&"));
  EXPECT_NEAR(lbp["gain"]["mean"].get<double>(), .05, 1e-12);
  EXPECT_EQ(lbp["gain"]["high"], .4);
  EXPECT_NEAR(lbp["win_index"].get<double>(), 200 / 960. / .2, 1e-12);
}

TEST_F(PoolReportTest, OneSeedHasNullIntervals) {
  report_.pool.pool_error.half_width.reset();
  EXPECT_TRUE(to_json(report_)["pool_error"]["ci95"].is_null());
}

TEST_F(PoolReportTest, SectionsAreWellFormedAndEscaped) {
  const std::string html = sections();
  EXPECT_TRUE(is_well_formed(html));
  EXPECT_THAT(repeated_ids(html), IsEmpty());
  EXPECT_THAT(html, HasSubstr("&lt;b&gt;&amp;"));
  EXPECT_THAT(html, Not(HasSubstr("<b>&")));
  EXPECT_THAT(html, Not(HasSubstr("http")));
  EXPECT_EQ(count(html, "<svg "), count(html, "role=\"img\" aria-labelledby="));
  EXPECT_EQ(count(html, "<svg "), 6u) << "gains, tree, front, each for wide and for narrow pages";
  EXPECT_EQ(count(html, "<img "), count(html, "alt=\""));
}

TEST_F(PoolReportTest, SectionsSayWhatTheTextSays) {
  std::vector<std::string> ids;
  for (const page::Section& section : pool_sections(report_)) ids.emplace_back(section.id);
  EXPECT_THAT(ids, ElementsAre("contribution", "gains", "verdicts", "tree", "front"));
  const std::string html = sections();
  EXPECT_THAT(html, HasSubstr("<li>lbp is a copy of &lt;b&gt;&amp;: "));
  EXPECT_THAT(html, HasSubstr("<li>&lt;b&gt;&amp; adds nothing measurable to this pool"));
  EXPECT_THAT(html, HasSubstr("2 of 16 test examples (12.50 %) are missed by every family alone."));
  EXPECT_THAT(html, HasSubstr("hog: +2.00 (+1.00 to +3.00) %"));
  EXPECT_THAT(html, HasSubstr("4 points, 2 of them on the front"));
  EXPECT_THAT(html, Not(HasSubstr("<img "))) << "pictures on the page are those of the recorded model";
}

TEST_F(PoolReportTest, WhatIsNotThereIsSaid) {
  report_.uncovered.clear();
  report_.offers.clear();
  const std::string html = sections();
  EXPECT_TRUE(is_well_formed(html));
  for (const char* sentence : {"The families could not be tested.",
                               "0 of 16 test examples (0.00 %) are missed by every family alone."})
    EXPECT_THAT(html, HasSubstr(sentence));
  EXPECT_THAT(html, Not(HasSubstr("<ul>\n</ul>")));
}

TEST_F(PoolReportTest, TheyAreOnThePageOfARun) {
  const sample::Folder folder;
  const Dataset data = sample::dataset(40);
  auto records = Records::open(folder / "mash.db");
  ASSERT_TRUE(records.ok());
  const auto id =
      sample::record(*records, sample::start(), data, {sample::family("hog"), sample::family("lbp")},
                     {sample::use(3, 7), sample::use(1, 3)}, 3);
  ASSERT_TRUE(id.ok());
  const auto record = read_run(*records, *id);
  ASSERT_TRUE(record.ok());
  const std::vector<page::Section> made = pool_sections(sample::pool_report(data));
  const auto page = run_page(*record, data, made);
  ASSERT_TRUE(page.ok());
  EXPECT_TRUE(is_well_formed(page->html.markup));
  EXPECT_THAT(repeated_ids(page->html.markup), IsEmpty());
  for (const page::Section& section : made)
    EXPECT_THAT(page->html.markup, HasSubstr("<a href=\"#" + std::string(section.id) + "\">"));
}

}  // namespace
}  // namespace mash
