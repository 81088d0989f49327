// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/exhaustive_trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace mash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

GainAtLook gain(double low, double high) {
  return {{5, .05}, (low + high) / 2, {{20, 5, 0}, 5, 100}, {low, high}};
}

ExhaustiveTrial trial(double low, double high) {
  ExhaustiveTrial made;
  made.heuristic = "mine";
  made.version = "1.0.0";
  made.experiment = "e";
  made.dataset = "digits";
  made.num_train = 600;
  made.num_held_out = 100;
  made.class_names = {"0", "1"};
  made.pool = {"hog", "lbp"};
  made.pool_microseconds = {10, 20};
  made.rounds = 300;
  made.seeds = {1, 2, 3, 4, 5};
  made.sampler = "laminating";
  made.gain = gain(low, high);
  made.replaced = gain(-3, -1);
  made.classes = {{0, 50, .5, error_over_examples(1, 100), .01},
                  {1, 50, -.5, error_over_examples(4, 100), .4}};
  made.alone_error = {.4, .05};
  made.error_before = {.12, .01};
  made.error_after = {.11, .02};
  made.neighbours = {{1, .5, .25, .75}, {0, .2, .1, .1}};
  made.cost.microseconds_per_image = 5;
  made.cost.dim = 12;
  made.seconds = 22;
  made.extract_seconds = 2;
  made.num_trained = 20;
  return made;
}

TEST(ExhaustiveTrial, SaysWhatWasFoundWithItsEvidence) {
  EXPECT_EQ(
      headline(trial(1, 2)),
      "mine adds: models of 300 rounds with it remove more than models without it, +1.50 % of the log-loss, "
      "between +1.00 and +2.00 (5 seeds).");
  EXPECT_THAT(headline(trial(-2, -1)), HasSubstr("mine is harmful: models of 300 rounds with it leave more"));
  EXPECT_THAT(headline(trial(-.4, .5)),
              HasSubstr("adds nothing measurable to models of 300 rounds: a gain of more than 0.50 %"));
  EXPECT_THAT(headline(trial(160, 170)), HasSubstr("suspicious"));
  ExhaustiveTrial copy = trial(-1, 3);
  copy.neighbours[0].cka = .995;
  EXPECT_THAT(headline(copy), HasSubstr("mine is a copy of lbp"));
  copy.gain = gain(1, 3);
  EXPECT_THAT(headline(copy), HasSubstr("mine adds")) << "what adds is no copy";
}

TEST(ExhaustiveTrial, NotKnownIsToldWithWhatItCostsToKnow) {
  const std::string text = render_text(trial(-1, 3));
  EXPECT_THAT(text,
              HasSubstr("mine is undecided: its gain in models of 300 rounds is between -1.00 and +3.00 % of "
                        "the log-loss; about "));
  EXPECT_THAT(text, HasSubstr(" seeds would tell: --seeds "));
  EXPECT_THAT(text, HasSubstr(" s more."));
  for (const char* word : {"redundant", "useless", "within noise"}) EXPECT_THAT(text, Not(HasSubstr(word)));
  ExhaustiveTrial few = trial(-1, 3);
  few.gain.error.squares.examples = 2000;
  EXPECT_THAT(headline(few), HasSubstr("the 100 held-out pictures are too few to tell"));
}

TEST(ExhaustiveTrial, TheScreenHasTheFigures) {
  const std::string text = render_text(trial(1, 2));
  for (const char* part :
       {"mine 1.0.0 on digits, in models of 300 rounds beside 2 families, judged on 100 held-out of 600 "
        "training "
        "pictures\nsampler laminating\n",
        "\nNext: Keep it.\n",
        "\ngain      +1.50 % of the log-loss, between +1.00 and +2.00: 95 %, over 5 seeds and the pictures\n",
        "\ninstead   -2.00 %, between -3.00 and -1.00, where it takes the place of lbp\n",
        "\nhelps     class 0 +0.50 ± 0.10 (± standard error)\n", "\nhurts     no class for certain\n",
        "\nnearest   lbp ",
        "\nerrors    12.00 % ± 1.00 -> 11.00 % ± 2.00 of the held-out pictures; by itself 40.00 % ± 5.00; "
        "±: half the width of the 95 % interval over seeds\n",
        "\n(22.0 s: extraction 2.0 s; 20 trainings, 0 found in the records)\n"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(ExhaustiveTrial, JsonHasEveryFigure) {
  const auto json = to_json(trial(1, 2));
  EXPECT_EQ(json["finding"], "adds");
  EXPECT_EQ(json["gain"]["mean"], 1.5);
  EXPECT_EQ(json["gain"]["alpha"], .05);
  EXPECT_EQ(json["gain"]["seeds"], 5);
  EXPECT_EQ(json["replaced"]["neighbour"], "lbp");
  EXPECT_EQ(json["classes"][0]["class"], "0");
  EXPECT_EQ(json["pool_error"]["ci95"], .01);
  EXPECT_EQ(json["num_held_out"], 100);
}

}  // namespace
}  // namespace mash
