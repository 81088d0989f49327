// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/background_offer.hpp"

#include <gmock/gmock.h>

namespace mash {
namespace {

TEST(OfferIn, WhatIsNoWholeDocumentIsNone) {
  const auto offer = offer_in(R"({"finding": "adds", "ended": true})");
  ASSERT_TRUE(offer);
  EXPECT_EQ((*offer)["finding"], "adds");
  for (const char* line : {"", R"({"finding": "adds", "ended": tr)", "[1, 2]", "7", R"({"finding": "adds"})"})
    EXPECT_FALSE(offer_in(line)) << line;
}

TEST(FirstAnswerIn, IsAWholeLine) {
  EXPECT_EQ(first_answer_in("loading\nAt first sight, on 6000: mine adds.\nextracting\n"),
            "At first sight, on 6000: mine adds.");
  EXPECT_EQ(first_answer_in("loading\nAt first sight, on 60"), "") << "it is still being written";
  EXPECT_EQ(first_answer_in("of hog At first sight, \n"), "");
}

}  // namespace
}  // namespace mash
