// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/offer.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/reports/heuristic/offer_sample.hpp"

namespace mash {
namespace {

using sample::offer;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Advice, FollowsTheShareOfOffersThatAreWon) {
  EXPECT_THAT(next_step(offer(-.4, .5, 400)),
              HasSubstr("Its features win offers, but what they tell is known"));
  EXPECT_THAT(
      next_step(offer(-.4, .5, 96)),
      HasSubstr("Its features win fewer offers than the pool's (0.5 times their share), and what they"));
}

TEST(Headline, CapsHowMuchFasterThePoolGoesOn) {
  HeuristicOffer fast = offer(3, 5);
  fast.figures.progress = .3;
  EXPECT_THAT(headline(fast), AllOf(HasSubstr("With it the pool goes on more than 10 times as fast."),
                                    Not(HasSubstr("14.3"))));
}

TEST(Headline, SaysTheVerdictWithItsEvidence) {
  EXPECT_EQ(headline(offer(1, 2)),
            "mine adds: in 60 rounds it removes more than the pool alone, +1.50 % of the log-loss, between "
            "+1.00 and "
            "+2.00 (16 seeds). With it the pool goes on 1.3 times as fast.");
  EXPECT_THAT(headline(offer(3, 5)), HasSubstr("mine adds much: "));
  EXPECT_THAT(headline(offer(-2, -1)),
              HasSubstr("It leaves 1.50 % more log-loss, between 1.00 and 2.00 (16 seeds)."));
  EXPECT_EQ(
      headline(offer(-.4, .5)),
      "mine adds nothing measurable to this pool: a gain of more than 0.50 % of the log-loss would have been "
      "seen (16 seeds).");
  EXPECT_THAT(headline(offer(-.4, .5, 0)),
              HasSubstr("It lost all 960 duels, so that it wins fewer than 0.31 %"));
  EXPECT_THAT(headline(offer(160, 170)), HasSubstr("suspicious"));
  HeuristicOffer knowing = offer(3, 5);
  knowing.figures.knows_single_pictures = true;
  EXPECT_THAT(headline(knowing), HasSubstr("mine is suspicious: its gain is lost on copies"));
  HeuristicOffer copy = offer(-.4, .5);
  copy.figures.nearest_cka = .995;
  EXPECT_THAT(headline(copy), HasSubstr("mine is a copy of lbp"));
  EXPECT_THAT(headline(copy), HasSubstr("no gain above that of other features of the pool"));
  copy.cost.num_pool_copies = 45;
  copy.cost.num_constant = 5;
  EXPECT_THAT(headline(copy),
              HasSubstr("and each of its own that is not constant stands in the pool already."));
}

TEST(Headline, NotKnownIsNotTakenForNothing) {
  const std::string undecided = headline(offer(-1, 3));
  EXPECT_THAT(undecided,
              HasSubstr("mine is undecided: its gain is between -1.00 and +3.00 % of the log-loss"));
  EXPECT_THAT(undecided, HasSubstr("about 32 seeds would tell, 8 s more: --seeds 32 --seconds 26"));
  EXPECT_THAT(undecided, Not(HasSubstr("redundant")));
  HeuristicOffer few = offer(-1, 3);
  few.figures.last.error.squares.examples = 64000;
  EXPECT_THAT(headline(few), HasSubstr("the 1000 held-out pictures are too few to tell"));
  EXPECT_EQ(next_step(few), "Try it on more pictures.");
}

TEST(NextStep, FitsTheVerdict) {
  EXPECT_EQ(next_step(offer(1, 2)), "Keep it.");
  EXPECT_THAT(next_step(offer(160, 170)), HasSubstr("leak"));
  EXPECT_THAT(next_step(offer(-.4, .5, 3)), HasSubstr("seldom beat the pool's"));
  EXPECT_THAT(next_step(offer(-.4, .5)), HasSubstr("known already: the nearest is lbp"));
  HeuristicOffer unlike = offer(-.4, .5);
  unlike.neighbours = {{1, .1, .1, .1}, {0, 0, 0, 0}};
  unlike.replace_command = "mash heuristic try mine --replace lbp";
  EXPECT_THAT(next_step(unlike), AllOf(HasSubstr("may be chance"), Not(HasSubstr("lbp"))));
  unlike.cost.num_constant = unlike.cost.dim;
  EXPECT_THAT(next_step(unlike), AllOf(HasSubstr("the same on all pictures"), Not(HasSubstr("known"))));
  HeuristicOffer faulty = offer(1, 2);
  faulty.cost.num_faults = 3;
  EXPECT_THAT(next_step(faulty), HasSubstr("Fix the 3 values that are not finite."));
  HeuristicOffer crowd = offer(-.4, .5, 3);
  crowd.figures.own_features = 500;
  EXPECT_THAT(next_step(crowd), HasSubstr("take offers away"));
}

TEST(NextStep, TellsHowToAskWhetherItCouldTakeThePlaceOfTheNearest) {
  HeuristicOffer nothing = offer(-.4, .5);
  nothing.replace_command = "mash heuristic try mine --replace lbp";
  EXPECT_THAT(next_step(nothing), HasSubstr("Whether it could take the place of lbp: mash heuristic try mine "
                                            "--replace lbp"));
  HeuristicOffer adds = offer(1, 2);
  adds.replace_command = nothing.replace_command;
  EXPECT_EQ(next_step(adds), "Keep it.");
  nothing.replacement.emplace();
  EXPECT_THAT(next_step(nothing), Not(HasSubstr("--replace"))) << "it was asked";
}

TEST(RenderText, BeginsWithTheVerdictAndNamesClassesOfWhichItIsSure) {
  const std::string text = render_text(offer(1, 2));
  EXPECT_LT(text.find("mine adds"), text.find("\ngain"));
  EXPECT_THAT(text, HasSubstr("\nhelps     class 0 +0.90 ± 0.10 (± standard error)\n"));
  EXPECT_THAT(text, HasSubstr("\nhurts     class 1 -0.80 ± 0.10 (± standard error)\n"));
  EXPECT_THAT(text, HasSubstr("won 20.8 % of 960 duels, 1.0 times its share"));
}

TEST(RenderText, SaysHowTheWishForAPrecisionEnded) {
  using End = HeuristicOffer::Precision::End;
  HeuristicOffer made = offer(1, 2);
  EXPECT_TRUE(to_json(made)["precision"].is_null());
  made.precision = {.5, End::kReached};
  EXPECT_THAT(
      render_text(made),
      HasSubstr("precision half the interval is 0.50 % of the log-loss after 16 seeds, as wanted (0.5)\n"));
  EXPECT_EQ(to_json(made)["precision"]["ended_by"], "precision");
  made.precision = {.4, End::kTimeOut};
  EXPECT_THAT(render_text(made), HasSubstr("when the time was out (--seconds); 0.4 takes about"));
  EXPECT_THAT(render_text(made), HasSubstr(": the same command goes on\n"));
  EXPECT_EQ(to_json(made)["precision"]["ended_by"], "seconds");
  made.precision = {1e-6, End::kMostSeeds};
  EXPECT_THAT(render_text(made),
              HasSubstr("after 16 seeds, the most; no number of seeds leads to 1e-06: the 1000 "
                        "pictures are too few\n"));
  EXPECT_EQ(to_json(made)["precision"]["ended_by"], "seeds");
  EXPECT_EQ(to_json(made)["precision"]["seeds_wanted"], 0);
  EXPECT_EQ(to_json(made)["precision"]["half_width"], .5);
}

TEST(OfferRow, HasTheFiguresOfTheLastLook) {
  HeuristicOffer made = offer(1, 2);
  made.plugin_sha256 = "abc";
  const OfferRow row = offer_row(made);
  EXPECT_EQ(row.heuristic, "mine");
  EXPECT_EQ(row.version, "1.2.0");
  EXPECT_EQ(row.plugin_sha256, "abc");
  EXPECT_EQ(row.dataset, "digits");
  EXPECT_EQ(row.pool, made.pool);
  EXPECT_EQ(row.nearest, "lbp");
  EXPECT_EQ(row.nearest_cka, .8);
  EXPECT_EQ(row.num_seeds, 16u);
  EXPECT_EQ(row.gain, 1.5);
  EXPECT_EQ(row.standard_error, made.figures.last.error.standard_error());
  EXPECT_EQ(row.low, 1);
  EXPECT_EQ(row.high, 2);
  EXPECT_EQ(row.relevant, 1);
  EXPECT_EQ(row.num_wins, 200u);
  EXPECT_EQ(row.num_duels, 960u);
  EXPECT_EQ(row.win_index, made.figures.win_index());
  EXPECT_EQ(row.speed_up, 1.5 / 5);
  EXPECT_EQ(row.finding, "adds");
  EXPECT_EQ(row.seconds, 8);
  EXPECT_FALSE(row.alpha_share) << "a test trains no model of all families";
  made.alpha_share = .25;
  EXPECT_EQ(offer_row(made).alpha_share, .25);
}

TEST(ToJson, HasEveryFigure) {
  HeuristicOffer made = offer(1, 2);
  made.history.resize(2);
  made.history[1].offer.gain = 1.5;
  const auto json = to_json(made);
  EXPECT_EQ(json["history"].size(), 2u);
  EXPECT_EQ(json["history"][1]["gain"]["mean"], 1.5);
  EXPECT_EQ(json["finding"], "adds");
  EXPECT_EQ(json["gain"]["low"], 1);
  EXPECT_EQ(json["looks"].size(), 1u);
  EXPECT_EQ(json["classes"].size(), 3u);
  EXPECT_EQ(json["wins"], 200);
  EXPECT_EQ(json["neighbours"][0]["family"], "lbp");
}

}  // namespace
}  // namespace mash
