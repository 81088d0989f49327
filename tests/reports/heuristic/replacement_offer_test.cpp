// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/replacement_offer.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace mash {
namespace {

using ::testing::HasSubstr;

// A test whose last look saw these gains, with intervals that reach so far to both sides.
ReplacementOffer replacing(double own, double replaced, double reach) {
  const Look& look = kLooks[2];
  const auto gain = [&](double mean) {
    const double sd = reach / error_over_seeds(1, look.num_seeds).reach(look.alpha);
    return GainAtLook{look, mean, error_over_seeds(sd, look.num_seeds), {mean - reach, mean + reach}};
  };
  ReplacementOffer made;
  made.heuristic = "mine";
  made.replaced = "hog";
  made.num_others = 25;
  made.num_held_out = 1000;
  made.looks = {{gain(own), gain(replaced), {}}};
  made.microseconds = 3;
  made.replaced_microseconds = 12.5;
  made.num_played = 16;
  made.seconds = 8;
  return made;
}

TEST(ReplacementHeadline, SaysTheFindingWithBothGainsAndTheirRatio) {
  EXPECT_EQ(headline(replacing(6, 5, .2)),
            "mine could replace hog: beside the others it gains +6.00 % of the log-loss where hog gains "
            "+5.00 % (1.14 to 1.26 times as much, 16 seeds).");
  EXPECT_EQ(headline(replacing(2, 5, .2)),
            "mine cannot replace hog yet: beside the others it gains +2.00 % of the log-loss where hog gains "
            "+5.00 % (0.36 to 0.44 times as much, 16 seeds); 0.8 times would be enough.");
  EXPECT_EQ(
      headline(replacing(2, .1, .2)),
      "mine has nothing to replace: beside the others hog itself gains less than 0.30 % of the log-loss "
      "(16 seeds).");
  EXPECT_EQ(headline(replacing(5, 5, 2)),
            "It is undecided whether mine could replace hog: beside the others it gains between +3.00 and "
            "+7.00 % of the log-loss, and hog between +3.00 and +7.00 % (16 seeds); about 128 seeds would "
            "tell, 56 s more: --seeds 128 --seconds 122.");
}

TEST(ReplacementNextStep, FitsTheFinding) {
  EXPECT_EQ(next_step(replacing(6, 5, .2)),
            "Offer it in the place of hog where one of the two is enough: name it instead of hog in the "
            "experiment. It takes 3.0 µs per image, hog 12.5.");
  ReplacementOffer unknown = replacing(6, 5, .2);
  unknown.microseconds = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(next_step(unknown),
            "Offer it in the place of hog where one of the two is enough: name it instead of hog in the "
            "experiment.");
  EXPECT_THAT(next_step(replacing(2, 5, .2)), HasSubstr("Keep hog"));
  EXPECT_THAT(next_step(replacing(2, .1, .2)), HasSubstr("a try of hog by itself"));
  EXPECT_THAT(next_step(replacing(5, 5, 2)), HasSubstr("Go on with the --seeds and --seconds above"));
  EXPECT_EQ(next_step(replacing(4, 5, 2)), "Try it on more pictures.") << "just as much as is enough";
}

TEST(ReplacementLookLines, HaveALineForEachLook) {
  ReplacementOffer two = replacing(6, 5, .2);
  two.looks.insert(two.looks.begin(), replacing(6, 5, 5.5).looks[0]);
  two.looks[0].own.look = kLooks[1];
  EXPECT_EQ(look_lines(two),
            "instead   +6.00 % beside 25 others, hog +5.00 % after 8 seeds\n"
            "          +6.00 % beside 25 others, hog +5.00 %: 1.20 times as much (1.14 to 1.26) after 16 "
            "seeds\n");
}

TEST(ReplacementJson, HasEveryFigure) {
  const auto json = to_json(replacing(6, 5, .2));
  EXPECT_EQ(json["replaced"], "hog");
  EXPECT_EQ(json["finding"], "could replace");
  EXPECT_EQ(json["gain"]["mean"], 6);
  EXPECT_EQ(json["replaced_gain"]["low"], 4.8);
  EXPECT_NEAR(json["ratio"]["mean"].get<double>(), 1.2, 1e-12);
  EXPECT_NEAR(json["ratio"]["low"].get<double>(), 1.139, 1e-3);
  EXPECT_EQ(json["looks"].size(), 1u);
  EXPECT_EQ(json["enough"], .8);
  EXPECT_TRUE(to_json(replacing(6, 5, 6))["ratio"].is_null());
}

}  // namespace
}  // namespace mash
