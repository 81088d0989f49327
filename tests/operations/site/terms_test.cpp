// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/terms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mash {
namespace {

using ::testing::HasSubstr;

std::string terms_refusal(const TermsChange& change, const BoardTerms& former = {}) {
  const auto terms = changed_terms(former, change);
  return terms.ok() || terms.error().kind != ErrorKind::kInput ? "" : terms.error().message;
}

TEST(ChangedTerms, WhatIsLeftOutStaysAndWhatIsEmptyGoes) {
  const BoardTerms former{"Holes", "notice", "ada", "2026-12-01T07:00:00Z", "", 3, "0=1"};
  EXPECT_EQ(*changed_terms(former, {}), former);
  const BoardTerms later = *changed_terms(former, {.closes = "2026-12-15T23:59:59+01:00"});
  EXPECT_EQ(later.closes_at, "2026-12-15T22:59:59Z");
  EXPECT_EQ(later.title, "Holes");
  EXPECT_EQ(*changed_terms(former, {"", "", "", "", "", 0, ""}), BoardTerms{});
  EXPECT_EQ(changed_terms(former, {.points = "0=1,  2.50=3"})->points, "0=1, 2.5=3");
}

TEST(ChangedTerms, WhatIsNoneIsNamedByItsKey) {
  EXPECT_THAT(terms_refusal({.title = "a\nb"}), HasSubstr("title: found 'a?b', expected a line of text"));
  EXPECT_EQ(terms_refusal({.notice = std::string(2001, 'a')}),
            "notice: found 2001 bytes, expected at most 2000");
  EXPECT_EQ(terms_refusal({.contact = std::string(201, 'a')}),
            "contact: found 201 bytes, expected at most 200");
  EXPECT_THAT(terms_refusal({.opens = "tomorrow"}), HasSubstr("opens: found 'tomorrow', expected a date"));
  EXPECT_THAT(terms_refusal({.closes = "2026-12-01T08:00"}), HasSubstr("closes: found '2026-12-01T08:00'"));
  EXPECT_THAT(terms_refusal({.points = "1=2, 1=3"}), HasSubstr("points: found '1=3' behind '1=2'"));
}

TEST(ChangedTerms, ABoardClosesAfterItOpens) {
  EXPECT_EQ(terms_refusal({.opens = "2026-12-01T08:00+01:00", .closes = "2026-12-01T07:00Z"}),
            "closes: found 2026-12-01 07:00 UTC, expected a time after that of opens, 2026-12-01 07:00 UTC");
  BoardTerms former;
  former.opens_at = "2026-12-01T07:00:00Z";
  EXPECT_THAT(terms_refusal({.closes = "2026-11-30T07:00Z"}, former), HasSubstr("after that of opens"));
  EXPECT_EQ(terms_refusal({.opens = "", .closes = "2026-11-30T07:00Z"}, former), "");
}

}  // namespace
}  // namespace mash
