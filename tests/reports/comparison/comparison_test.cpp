// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/comparison/comparison.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "framework/analysis/paired_losses.hpp"
#include "framework/base/paired_tests.hpp"
#include "framework/base/statistics.hpp"
#include "framework/reports/comparison/json.hpp"
#include "framework/reports/comparison/page.hpp"
#include "framework/reports/comparison/tables.hpp"
#include "framework/reports/comparison/words.hpp"
#include "tests/reports/comparison/comparison_sample.hpp"
#include "tests/support/page.hpp"

namespace mash {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(Comparison, OneRunEachIsMcNemar) {
  const ComparisonReport report = compare_sides({sample::side("1", {12}), sample::side("2", {3})});
  ASSERT_THAT(report.pairs, SizeIs(1));
  const ComparedPair& pair = report.pairs[0];
  EXPECT_EQ(pair.num_examples, 30u);
  EXPECT_NEAR(pair.decisive()->mean, -.3, 1e-12) << "nine of thirty were mended";
  EXPECT_NEAR(*pair.decisive()->p_value, mcnemar(9, 0).p_mid, 1e-12);
  EXPECT_FALSE(pair.over_both || pair.over_seeds) << "one seed in common";
  EXPECT_TRUE(pair.is_told_apart());
  EXPECT_THAT(sentences_of(report, pair),
              HasSubstr("B is better than A: its test error is 30.00 points lower"));
  EXPECT_THAT(sentences_of(report, pair),
              HasSubstr("30 examples; as trained: other seeds may say otherwise"));
}

TEST(Comparison, SeedsInCommonArePaired) {
  const ComparisonReport report =
      compare_sides({sample::side("1", {12, 10, 11}), sample::side("2", {3, 4, 2, 9})});
  const ComparedPair& pair = report.pairs[0];
  EXPECT_EQ(pair.num_seeds, 3u);
  EXPECT_NEAR(pair.over_seeds->mean, -8. / 30, 1e-12) << "of seeds 1, 2 and 3";
  EXPECT_NEAR(pair.over_both->mean, -8. / 30, 1e-12);
  EXPECT_NEAR(pair.over_examples->mean, 4.5 / 30 - 11. / 30, 1e-12) << "of all runs";
  EXPECT_EQ(pair.decisive(), &*pair.over_both);
}

TEST(Comparison, NotToldApartIsNotEqual) {
  const ComparisonReport report = compare_sides({sample::side("1", {5}), sample::side("2", {5})});
  const std::string sentence = sentences_of(report, report.pairs[0]);
  EXPECT_THAT(sentence, HasSubstr("not told apart, which does not make them equal"));
  EXPECT_THAT(sentence, HasSubstr("would have been seen in four of five comparisons"));
  EXPECT_GT(*report.pairs[0].decisive()->visible, .05);
  for (const char* word : {"no difference", "is equal", "are equal", "the same"})
    EXPECT_THAT(sentence, Not(HasSubstr(word)));
}

TEST(Comparison, PairsAreCorrectedTogether) {
  const ComparisonReport report =
      compare_sides({sample::side("1", {12}), sample::side("2", {6}), sample::side("3", {5})});
  std::vector<double> p_values, corrected;
  for (const ComparedPair& pair : report.pairs) {
    p_values.push_back(*pair.decisive()->p_value);
    corrected.push_back(*pair.p_corrected);
  }
  EXPECT_EQ(corrected, holm_corrected(p_values));
  EXPECT_THAT(corrected, Not(ElementsAre(p_values[0], p_values[1], p_values[2])));
}

// Six wrong against none: p = .016, and .047 as the first of three; against one: p = .031, and .063.
TEST(Comparison, IntervalsAgreeWithTheCorrectedP) {
  const ComparisonReport report =
      compare_sides({sample::side("1", {6}), sample::side("2", {0}), sample::side("3", {1})});
  for (const ComparedPair& pair : report.pairs) {
    const Interval& interval = *pair.shown->interval;
    EXPECT_EQ(interval.low > 0 || interval.high < 0, pair.is_told_apart()) << name_of(pair);
  }
  EXPECT_TRUE(report.pairs[0].is_told_apart());
  EXPECT_FALSE(report.pairs[1].is_told_apart());
  EXPECT_LT(*report.pairs[1].decisive()->p_value, .05);
  EXPECT_GT(report.pairs[1].shown->interval->high, 0);
  const auto json = to_json(report)["pairs"][1];
  EXPECT_GT(json["high"].get<double>(), 0);
  EXPECT_LT(json["over_examples"]["high"].get<double>(), 0) << "agrees with its own p";
  for (const ComparedClass& of_class : report.classes)
    for (const ClassDifference& other : of_class.differences)
      EXPECT_EQ(other.difference.interval->low > 0 || other.difference.interval->high < 0,
                *other.p_corrected < .05);
}

TEST(Comparison, FewSeedsSayHowManyWouldSayMore) {
  const auto sentence = [](const std::vector<std::size_t>& first, const std::vector<std::size_t>& second) {
    const ComparisonReport report = compare_sides({sample::side("1", first), sample::side("2", second)});
    return sentences_of(report, report.pairs[0]);
  };
  EXPECT_THAT(sentence({12, 10}, {3, 4}),
              ContainsRegex("2 seeds say little: with 8 the interval would be about [0-9]+ % as wide"));
  EXPECT_THAT(sentence({12, 10, 11}, {3, 4, 2}), HasSubstr("3 seeds say little: with 8"));
  EXPECT_THAT(sentence({12, 10, 11, 12}, {3, 4, 2, 3}), Not(HasSubstr("say little")));
  EXPECT_THAT(sentence({12}, {3}), Not(HasSubstr("say little"))) << "that of one run speaks of no other seed";
}

// Two seeds that disagree: Student's t of one degree of freedom reaches ten times as far as errors can.
TEST(Comparison, ErrorsDifferByAHundredPointsAtMost) {
  const ComparisonReport report = compare_sides({sample::side("1", {0, 24}), sample::side("2", {24, 1})});
  const ComparedPair& pair = report.pairs[0];
  const double mean = pair.decisive()->mean;
  ASSERT_GT(difference_with_error(mean, *pair.decisive()->error).interval->high, 1) << "uncut";
  for (const PairedDifference* difference : {&*pair.over_seeds, &*pair.over_both, &*pair.shown}) {
    EXPECT_EQ(difference->interval->low, -1);
    EXPECT_EQ(difference->interval->high, 1);
    EXPECT_FALSE(difference->visible) << "no difference is as large";
  }
  for (const ComparedClass& of_class : report.classes) {
    EXPECT_GE(of_class.differences[0].difference.interval->low, -1);
    EXPECT_LE(of_class.differences[0].difference.interval->high, 1);
  }
  const std::string text = render_text(report, true);
  EXPECT_THAT(text, HasSubstr("anything between −100.00 and +100.00"));
  EXPECT_THAT(text, HasSubstr("Even a difference of 100 points would not be seen"));
  const auto json = to_json(report)["pairs"][0];
  EXPECT_EQ(json["low"], -1);
  EXPECT_EQ(json["high"], 1);
  EXPECT_TRUE(json["visible"].is_null());
}

TEST(Comparison, AValidationErrorIsNoTestError) {
  std::vector<ComparedSide> sides{sample::side("1", {12}), sample::side("2", {3})};
  for (ComparedSide& side : sides) side.judging_side = "validation";
  const ComparisonReport report = compare_sides(sides);
  const std::string text = render_text(report, true);
  EXPECT_THAT(text, HasSubstr("judged by its validation side"));
  EXPECT_THAT(text, HasSubstr("its validation error is 30.00 points lower"));
  EXPECT_THAT(text, HasSubstr("Differences of validation errors, in points:"));
  EXPECT_THAT(text, HasSubstr("Validation errors by class"));
  EXPECT_THAT(text, Not(HasSubstr("est error"))) << "neither Test nor test";
  EXPECT_EQ(to_json(report)["sides"][0]["judged_by"], "validation");
  sides[1].judging_side = "test";
  EXPECT_EQ(compare_sides(sides).error_name(), "test error") << "each side says what judges it";
}

TEST(Comparison, SecondsOfExtractionAreNoResult) {
  ComparedSide side = sample::side("1", {12});
  side.figures["extract_seconds"] = {0.952};
  side.figures["peak_memory_bytes"] = {140. * (1 << 20)};
  const ComparisonReport report = compare_sides({side, sample::side("2", {3})});
  const std::string text = render_text(results_table(report));
  EXPECT_THAT(text, Not(HasSubstr("extraction"))) << "they say who came first";
  EXPECT_THAT(text, ContainsRegex("peak memory, MiB +140"));
  EXPECT_EQ(to_json(report)["sides"][0]["figures"]["extract_seconds"]["mean"], 0.952);
  EXPECT_EQ(to_json(report)["sides"][0]["figures"]["peak_memory_bytes"]["mean"], 140 * (1 << 20));
}

TEST(Comparison, OtherDataAreNotPaired) {
  ComparedSide other = sample::side("2", {3, 4});
  other.fingerprint = "f1";
  const ComparisonReport report = compare_sides({sample::side("1", {12, 11}), other});
  const ComparedPair& pair = report.pairs[0];
  EXPECT_EQ(pair.decisive(), nullptr);
  EXPECT_FALSE(pair.over_seeds || pair.p_corrected);
  EXPECT_THAT(pair.why_not, HasSubstr("the data differ (A: toy & <more> with fingerprint f0, B:"));
  EXPECT_THAT(report.classes, IsEmpty());
  EXPECT_THAT(sentences_of(report, pair), HasSubstr("no paired test"));
  EXPECT_TRUE(to_json(report)["pairs"][0]["difference"].is_null());
}

TEST(Comparison, OtherLabelsAreOtherExamples) {
  ComparedSide other = sample::side("2", {3});
  std::swap(other.labels[0], other.labels[1]);
  EXPECT_NE(compare_sides({sample::side("1", {12}), other}).pairs[0].why_not, "");
}

TEST(Comparison, WithoutPredictionsThereIsNoTest) {
  ComparedSide running = sample::side("2", {3});
  running.predicted.clear();
  EXPECT_THAT(compare_sides({sample::side("1", {12}), running}).pairs[0].why_not,
              HasSubstr("B has no recorded predictions"));
}

TEST(Comparison, ErrorsByClass) {
  // The first six examples wrong: two of each class; the second side none.
  const ComparisonReport report = compare_sides({sample::side("1", {6}), sample::side("2", {0})});
  ASSERT_THAT(report.classes, SizeIs(3));
  std::vector<double> p_values, corrected;
  for (const ComparedClass& of_class : report.classes) {
    EXPECT_EQ(of_class.num_examples, 10u);
    EXPECT_THAT(of_class.errors, ElementsAre(.2, 0));
    ASSERT_THAT(of_class.differences, SizeIs(1));
    EXPECT_NEAR(of_class.differences[0].difference.mean, -.2, 1e-12);
    p_values.push_back(*of_class.differences[0].difference.p_value);
    corrected.push_back(*of_class.differences[0].p_corrected);
  }
  EXPECT_NEAR(p_values[0], mcnemar(2, 0).p_mid, 1e-12);
  EXPECT_EQ(corrected, holm_corrected(p_values));
}

TEST(Comparison, OnlySettingsThatDifferAreListed) {
  ComparedSide second = sample::side("2", {3});
  second.settings.insert(second.settings.begin() + 1, {"booster.rounds", "20"});
  const ComparisonReport report = compare_sides({sample::side("1", {12}), second});
  const auto rows = setting_rows(report);
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_EQ(rows[1].key, "booster.rounds") << "where the side that has it has it";
  EXPECT_THAT(rows[1].values, ElementsAre(std::nullopt, "20"));
  EXPECT_FALSE(rows[0].differs());
  EXPECT_THAT(settings_table(report, false).rows, SizeIs(2));
  EXPECT_THAT(settings_table(report, true).rows, SizeIs(3));
}

TEST(Comparison, ResultsAreMeansWithTheirDeviation) {
  const std::string text =
      render_text(compare_sides({sample::side("1", {12, 9}), sample::side("2", {3})}), false);
  EXPECT_THAT(text, HasSubstr("35.00 % (sd 7.07 %)"));
  EXPECT_THAT(text, HasSubstr("10.00 %"));
  EXPECT_THAT(text, HasSubstr("A  1: experiment demo on toy & <more>, runs 10, 11 (seeds 1, 2)"));
  EXPECT_THAT(text, Not(HasSubstr("never"))) << "a family that nobody uses";
}

const std::vector<std::vector<float>> kFirst{{1, .5f, .25f, 2}, {1.5f, .5f, .5f, 2}, {1, 1, .5f, 1.5f}};
const std::vector<std::vector<float>> kSecond{{.5f, .5f, .25f, 1}, {1, .25f, .5f, 1}, {.5f, .5f, .25f, 1}};

TEST(Comparison, GainsOnTheSameSeedsAndExamples) {
  const ComparisonReport report =
      compare_offers({sample::offer("1.0.0", kFirst), sample::offer("1.1.0", kSecond)});
  const ComparedPair& pair = report.pairs[0];
  ASSERT_TRUE(pair.over_both);
  const std::vector<double> gains{100 * std::log(3.75 / 2.25), 100 * std::log(4.5 / 2.75),
                                  100 * std::log(4 / 2.25)};
  EXPECT_NEAR(pair.decisive()->mean, 100 * std::log(12.25 / 7.25), 1e-5)
      << "of the mean losses; the second gains more: it loses less";
  EXPECT_NEAR(pair.over_seeds->mean, statistics_of(gains).mean, 1e-5);
  PairedLosses losses(4);
  for (std::size_t s = 0; s < 3; ++s)
    losses.add(std::vector<double>(kFirst[s].begin(), kFirst[s].end()),
               std::vector<double>(kSecond[s].begin(), kSecond[s].end()));
  EXPECT_NEAR(pair.decisive()->interval->high - pair.decisive()->mean, gain_error(losses, 0).reach(), 1e-4);
  double sum = 0;
  for (const ComparedClass& of_class : report.classes) sum += of_class.differences[0].difference.mean;
  EXPECT_NEAR(sum, pair.decisive()->mean, 1e-9) << "the classes add up";
}

TEST(Comparison, SeedsOfOneOfferOnlyAreLeftOut) {
  ComparedOffer second = sample::offer("1.1.0", kSecond);
  second.details.seeds[0].seed = 99;
  const ComparisonReport report = compare_offers({sample::offer("1.0.0", kFirst), second});
  EXPECT_EQ(report.pairs[0].num_seeds, 2u);
  second.details.seeds.resize(2);
  const ComparisonReport one = compare_offers({sample::offer("1.0.0", kFirst), second});
  EXPECT_THAT(one.pairs[0].why_not, HasSubstr("for one seed in common, two are needed"));
}

TEST(Comparison, OffersBesideOtherPoolsAreNotPaired) {
  ComparedOffer second = sample::offer("1.1.0", kSecond);
  second.offer.pool_key = "other";
  second.offer.past.offer.trained_by = "a later program";
  const ComparisonReport report = compare_offers({sample::offer("1.0.0", kFirst), second});
  EXPECT_EQ(report.pairs[0].decisive(), nullptr);
  EXPECT_THAT(report.pairs[0].why_not,
              HasSubstr("A and B differ in pool, program, rounds or builds of the pool"));
  EXPECT_THAT(report.classes, IsEmpty());
}

TEST(Comparison, JsonHasAllOfIt) {
  const auto json = to_json(compare_sides({sample::side("1", {12, 9}), sample::side("2", {3, 4})}));
  EXPECT_EQ(json["measure"], "test_error");
  EXPECT_EQ(json["sides"][1]["letter"], "B");
  EXPECT_NEAR(json["sides"][0]["figures"]["test_error"]["mean"].get<double>(), .35, 1e-12);
  EXPECT_EQ(json["sides"][0]["curve"].size(), 3u);
  EXPECT_EQ(json["settings"][1]["values"], (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(json["pairs"][0]["common_seeds"], 2);
  EXPECT_LT(json["pairs"][0]["over_seeds_and_examples"]["difference"].get<double>(), 0);
  EXPECT_EQ(json["classes"][0]["differences"][0]["second"], "B");
  EXPECT_TRUE(json["command"].is_null());
}

TEST(ComparisonPage, OfExperimentsIsWholeAndNeedsNothing) {
  const page::Piece page =
      comparison_page(compare_sides({sample::side("1", {12, 9}), sample::side("2", {3, 4})}), "1.2.3");
  const std::string& html = page.html.markup;
  EXPECT_TRUE(testing::is_well_formed(html));
  EXPECT_THAT(testing::repeated_ids(html), IsEmpty());
  EXPECT_EQ(testing::count(html, "<svg "), 6u) << "three charts for two widths";
  for (const char* part : {"What is known", "Settings that differ", "Results", "Differences", "Curves",
                           "Classes", "Families used", "toy &amp; &lt;more&gt;", "Written by mash 1.2.3"})
    EXPECT_THAT(html, HasSubstr(part));
  for (const char* part : {"<script", "http://", "https://", "nan"}) EXPECT_THAT(html, Not(HasSubstr(part)));
  EXPECT_THAT(page.markdown, ::testing::StartsWith("# Comparison of 1, 2\n"));
}

TEST(ComparisonPage, SixSidesHaveSixLooks) {
  std::vector<ComparedSide> sides;
  for (int i = 1; i <= 6; ++i)
    sides.push_back(sample::side(std::to_string(i), {std::size_t(i), std::size_t(i + 2)}));
  const std::string html = comparison_page(compare_sides(std::move(sides)), "1").html.markup;
  EXPECT_TRUE(testing::is_well_formed(html));
  for (const char* colour : {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#7a7a7a"})
    EXPECT_THAT(html, HasSubstr(colour));
}

TEST(ComparisonPage, OfVersionsHasGainsOnOneAxis) {
  const ComparisonReport report =
      compare_offers({sample::offer("1.0.0", kFirst), sample::offer("1.1.0", kSecond)});
  const std::string html = comparison_page(report, "1").html.markup;
  EXPECT_TRUE(testing::is_well_formed(html));
  EXPECT_EQ(testing::count(html, "<svg "), 2u);
  EXPECT_THAT(html, HasSubstr("Gains and their differences"));
  EXPECT_THAT(html, HasSubstr("A: mine@1.0.0"));
  EXPECT_THAT(html, HasSubstr("mean own hollow"));
}

TEST(ComparisonPage, WithoutAnyCurveThereIsNone) {
  ComparedSide a = sample::side("1", {12}), b = sample::side("2", {3});
  a.curves.clear();
  b.curves.clear();
  EXPECT_EQ(testing::count(comparison_page(compare_sides({a, b}), "1").html.markup, "<svg "), 0u);
}

}  // namespace
}  // namespace mash
