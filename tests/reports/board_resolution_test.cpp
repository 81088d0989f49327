// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/board_resolution.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace mash {
namespace {

using ::testing::HasSubstr;

BoardResolution resolution(double wrong) {
  return {1186, wrong, 6, 8, 3.14, {{16, 1.12, .8}, {64, .61, .5}}, .35};
}

TEST(BoardResolution, SaysWhatItCanTellApart) {
  EXPECT_EQ(
      in_words(resolution(246)),
      "The base gets 246 of 1186 judging pictures wrong. Of heuristics that gain about 3.1 %, half the "
      "interval of a gain is 1.1 % with 16 seeds, 0.61 % with 64 seeds. Of 20 of them two are told apart "
      "from "
      "a difference of about 0.8 % with 16 seeds, 0.5 % with 64 seeds on, and of 0.35 % with any number of "
      "seeds: for less it takes more judging pictures. What gains more is known less well.");
}

TEST(BoardResolution, SaysThatNothingIsLeftToBeLearned) {
  EXPECT_FALSE(resolution(9.5).leaves_enough());
  EXPECT_THAT(in_words(resolution(9.5)),
              HasSubstr("9.5 of 1186 judging pictures wrong: these data leave nothing"));
  EXPECT_TRUE(resolution(10).leaves_enough());
}

TEST(BoardResolution, WritesLargeNumbersWithoutAnExponent) {
  EXPECT_THAT(in_words(resolution(1551.4)), HasSubstr("The base gets 1550 of"));
}

TEST(BoardResolution, ItsDocumentHasEveryFigure) {
  const auto json = to_json(resolution(246));
  EXPECT_EQ(json["at"][1]["seeds"], 64);
  EXPECT_EQ(json["at"][1]["difference"], .5);
  EXPECT_EQ(json["of_pictures"], .35);
  EXPECT_EQ(json["leaves_enough"], true);
  EXPECT_EQ(json["gain"], 3.14);
  EXPECT_EQ(json["words"], in_words(resolution(246)));
}

}  // namespace
}  // namespace mash
