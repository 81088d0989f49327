// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/first_answer.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/reports/heuristic/offer_sample.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

FirstAnswer answer(double low, double high) {
  return {.offer = sample::offer(low, high), .num_all_train = 60000, .left_out = {}, .full_command = {}};
}

TEST(FirstAnswer, IsToldWithItsPicturesAndFamilies) {
  FirstAnswer told = answer(1, 2);
  EXPECT_EQ(headline(told),
            "At first sight, on 6000 of 60000 training pictures, beside 2 families, after 16 seeds: mine "
            "adds, +1.50 % of the log-loss, between +1.00 and +2.00.");
  told.left_out = {{"slow", "takes about 12 s on these pictures"}};
  told.num_all_train = 6000;
  EXPECT_THAT(headline(told), HasSubstr("on all 6000 training pictures, beside 2 of 3 families"));
}

// The pool is a smaller one and the pictures are few: what adds nothing here may add something in full.
TEST(FirstAnswer, NeverSaysThatNothingIsAdded) {
  for (const auto& [low, high] : {std::pair(-.4, .5), std::pair(-1., 3.), std::pair(-3., -1.)}) {
    const FirstAnswer told = answer(low, high);
    EXPECT_THAT(render_text(told), Not(HasSubstr("adds"))) << low;
    EXPECT_THAT(std::string(first_finding(told)), Not(HasSubstr("adds"))) << low;
  }
  EXPECT_THAT(headline(answer(-.4, .5)), HasSubstr("no gain of mine is seen yet, +0.05 % of the log-loss"));
  EXPECT_EQ(first_finding(answer(-.4, .5)), "no gain seen");
  EXPECT_EQ(first_finding(answer(-1, 3)), "undecided");
  EXPECT_EQ(first_finding(answer(-3, -1)), "harmful");
  EXPECT_EQ(first_finding(answer(3, 5)), "adds") << "how much, the full pool will tell";
}

TEST(FirstAnswer, SaysWhatComesNext) {
  FirstAnswer told = answer(1, 2);
  EXPECT_THAT(render_text(told), HasSubstr("the gain is another one: the full test goes on.\n"));
  told.full_command = "mash heuristic try mine";
  told.left_out = {{"slow", "takes about 12 s on these pictures"}};
  EXPECT_THAT(render_text(told), HasSubstr("The full test: mash heuristic try mine\n"));
  EXPECT_THAT(render_text(told), HasSubstr("slow: takes about 12 s on these pictures\n"));
}

TEST(FirstAnswer, TellsNoGainWhereNothingIsLeft) {
  FirstAnswer told = answer(1, 2);
  told.offer.figures.num_judges = 1000;
  told.offer.figures.pool_wrong = 2;
  EXPECT_EQ(first_finding(told), "nothing to learn");
  EXPECT_THAT(headline(told), Not(HasSubstr("1.50")));
  EXPECT_TRUE(to_json(told)["gain"].is_null());
}

TEST(FirstAnswer, IsNoOfferInJson) {
  FirstAnswer told = answer(1, 2);
  told.left_out = {{"slow", "takes about 12 s on these pictures"}};
  const nlohmann::ordered_json json = to_json(told);
  EXPECT_EQ(json["first_answer"], true);
  EXPECT_EQ(json["num_all_train"], 60000);
  EXPECT_EQ(json["left_out"][0]["family"], "slow");
  EXPECT_EQ(json["gain"]["mean"], 1.5);
  EXPECT_FALSE(json.contains("verdict"));
  EXPECT_FALSE(json.contains("advice"));
}

}  // namespace
}  // namespace mash
