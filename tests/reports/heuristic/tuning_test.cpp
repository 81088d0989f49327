// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/tuning.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/page.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

GainAtLook gain_of(double mean, double reach, std::size_t num_seeds = 16) {
  const Look look{num_seeds, kMiss};
  const double sd = reach / error_over_seeds(1, num_seeds).reach(kMiss);
  return {look, mean, error_over_seeds(sd, num_seeds), {mean - reach, mean + reach}};
}

TunedVariant variant(const std::string& levels, double gain, std::size_t num_seeds, bool is_surely_worse) {
  TunedVariant made;
  made.settings.add("levels", levels, "");
  made.given = "levels=" + levels;
  made.name = "hog(levels=" + levels + ")";
  made.num_features = 120;
  made.microseconds_per_image = 12.5;
  made.standing = {num_seeds, gain_of(gain, 1, num_seeds), gain_of(gain - 2, 1, num_seeds),
                   gain_of(6 - gain, 1, num_seeds), is_surely_worse};
  return made;
}

HeuristicTuning tuning() {
  HeuristicTuning made;
  made.heuristic = "hog";
  made.version = "1.0.0";
  made.experiment = "demo";
  made.dataset = "digits";
  made.num_train = 400;
  made.num_choosing = 34;
  made.num_measuring = 33;
  made.pool = {"lbp", "identity"};
  made.variants = {variant("1", 2, 8, true), variant("2", 5.5, 16, false), variant("4", 6, 16, false)};
  made.best = 2;
  made.num_as_good = 1;
  made.measured = gain_of(5, 1.5);
  made.next_command = "mash heuristic try hog --setting levels=4";
  return made;
}

TEST(TuningHeadline, SaysTheBestAndHowManyMayBeAsGood) {
  HeuristicTuning tuned = tuning();
  EXPECT_EQ(headline(tuned),
            "levels=4 is the best of 3; one other may be as good. It gains +5.00 % of the log-loss, between "
            "+3.50 and +6.50 (16 fresh seeds, 33 pictures that did not choose it).");
  tuned.num_as_good = 0;
  EXPECT_THAT(headline(tuned), HasSubstr("the best of 3; all others are worse. "));
  tuned.num_as_good = 13;
  EXPECT_THAT(headline(tuned), HasSubstr("; 13 others may be as good. "));
  tuned.measured = gain_of(1, 2);
  EXPECT_THAT(headline(tuned), HasSubstr("Whether it adds anything is undecided: +1.00 %"));
  tuned.measured = gain_of(-3, 1);
  EXPECT_THAT(headline(tuned), HasSubstr("It is harmful: -3.00 %"));
}

TEST(TuningText, HasALineForEachVariantTheBestFirst) {
  HeuristicTuning tuned = tuning();
  tuned.left_out = {"heuristic hog(levels=9): no block fits; left out"};
  tuned.undone = "The time was out after 16 seeds of the comparison, of 32.";
  const std::string text = render_text(tuned);
  EXPECT_THAT(text,
              HasSubstr("hog 1.0.0 on digits: 3 variants, each offered beside 2 families; 67 of 400 training "
                        "pictures were held out: 34 chose the best, 33 measured it\n"));
  EXPECT_THAT(text, HasSubstr("\nNext: mash heuristic try hog --setting levels=4\n"));
  EXPECT_THAT(text, HasSubstr("\nheuristic hog(levels=9): no block fits; left out\n"));
  EXPECT_THAT(text, HasSubstr("\nThe time was out after 16 seeds"));
  const std::size_t best = text.find("\nlevels=4 "), second = text.find("\nlevels=2 "),
                    last = text.find("\nlevels=1 ");
  ASSERT_NE(last, std::string::npos);
  EXPECT_LT(best, second);
  EXPECT_LT(second, last);
  EXPECT_THAT(text.substr(second, text.find('\n', second + 1) - second), HasSubstr("may be as good"));
  EXPECT_THAT(text.substr(last, text.find('\n', last + 1) - last), HasSubstr("worse"));
}

TEST(TuningJson, HasEveryFigure) {
  const auto json = to_json(tuning());
  EXPECT_EQ(json["best"]["settings"]["levels"], "4");
  EXPECT_EQ(json["as_good"], 1);
  EXPECT_EQ(json["gain"]["seeds"], 16);
  EXPECT_EQ(json["variants"].size(), 3u);
  EXPECT_EQ(json["variants"][0]["finding"], "worse");
  EXPECT_EQ(json["variants"][2]["finding"], "best");
  EXPECT_EQ(json["variants"][1]["than_first"]["mean"], 3.5);
  EXPECT_TRUE(json["undone"].is_null());
}

TEST(TuningPage, ShowsGainsAgainstCosts) {
  const page::Piece page = tuning_page(tuning(), "1.2.3");
  EXPECT_TRUE(testing::is_well_formed(page.html.markup));
  for (const char* text : {"Settings of hog", "<svg", "µs per image", "levels=4", "may be as good",
                           "mash heuristic try hog --setting levels=4"})
    EXPECT_THAT(page.html.markup, HasSubstr(text));
  EXPECT_THAT(page.markdown, HasSubstr("levels=4"));
}

}  // namespace
}  // namespace mash
