// SPDX-License-Identifier: Apache-2.0
// A runner's work on copies, and on what contributors add together.
#include "server/runner/likeness.hpp"

#include <csignal>

#include "framework/records/site/answers.hpp"
#include "framework/records/site/copies.hpp"
#include "framework/records/site/together.hpp"
#include "tests/server/runner/runner_site.hpp"
#include "tests/support/comes.hpp"

namespace mash {
namespace {

using testing::columns_source;
using testing::comes;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::rows_source;

class RunnerLikeness : public testing::RunnerSite {
 protected:
  std::int64_t judged(const std::string& source) {
    const std::int64_t submission = hand_in(source);
    run();
    return submission;
  }
};

TEST_F(RunnerLikeness, WhatIsJudgedIsComparedWithWhatWasJudgedBefore) {
  const std::int64_t rows = judged(rows_source("rows"));
  // The same features, twice as large, with other names.
  std::string scaled = rows_source("scaled");
  for (const auto& [from, to] : {std::pair("/ float(view.width())", "* 2.0f / float(view.width())"),
                                 std::pair("float sum", "float total"), std::pair("sum +=", "total +="),
                                 std::pair("= sum ", "= total ")})
    scaled.replace(scaled.find(from), std::string_view(from).size(), to);
  const std::int64_t near = judged(scaled), columns = judged(columns_source("uprights"));
  for (const std::int64_t id : {rows, near, columns}) ASSERT_EQ(state_of(id), "published") << told(id);
  EXPECT_EQ(*num_to_compare(records_, "digits"), 0u);
  const auto pair = *find_likeness(records_, rows, near);
  ASSERT_TRUE(pair) << "the codes of features do not change with their scale";
  EXPECT_FALSE(pair->is_same);
  ASSERT_TRUE(pair->cka);
  EXPECT_GT(*pair->cka, .99);
  EXPECT_FALSE(find_likeness(records_, rows, columns)->value_or(KeptLikeness{}).is_same);
}

// Their samples may be of other pictures.
TEST_F(RunnerLikeness, FeaturesOnOtherVersionsOfTheBoardAreNotCompared) {
  const std::int64_t rows = judged(rows_source("rows"));
  board_ = *put_board(records_, {0, "digits", testing::kSmallBoard, 8});
  const std::int64_t copy = judged(rows_source("a-better-name"));
  ASSERT_EQ(state_of(copy), "published") << told(copy);
  EXPECT_EQ(*num_to_compare(records_, "digits"), 0u);
  const auto pair = *find_likeness(records_, rows, copy);
  ASSERT_TRUE(pair);
  EXPECT_TRUE(pair->is_same) << "the digest is of all training pictures";
  EXPECT_FALSE(pair->cka);
}

TEST_F(RunnerLikeness, ABoardThatTakesNoCopiesRejectsOneBeforeItIsOffered) {
  ASSERT_TRUE(set_copies_rule(records_, "digits", CopiesRule::kRefuse).ok());
  ASSERT_EQ(state_of(judged(rows_source("rows"))), "published");
  const std::int64_t copy = judged(rows_source("a-better-name"));
  EXPECT_EQ(state_of(copy), "rejected") << told(copy);
  EXPECT_EQ(submission(copy).fault, Blame::kContributor);
  EXPECT_THAT(submission(copy).reason, HasSubstr("has the features of rows 1.0.0, to the bit"));
  EXPECT_THAT(told(copy), ::testing::Not(HasSubstr("[judging]")));
  EXPECT_EQ(state_of(judged(rows_source("rows", "1.1.0"))), "published") << "its own next version";
  const ToldCounts counts = *read_told(records_, **find_board(records_, board_));
  EXPECT_EQ(counts.num_shown, 3u);
  EXPECT_EQ(counts.answers.size(), 2u);
}

TEST_F(RunnerLikeness, AllHeuristicsOfAContributorAreMeasuredTogetherWhileNothingWaits) {
  const std::int64_t rows = judged(rows_source("rows")), columns = judged(columns_source("uprights"));
  ASSERT_EQ(state_of(columns), "published") << told(columns);
  EXPECT_THAT(*read_together(records_, board_), IsEmpty()) << "not where a runner ends when nothing waits";
  ChildProcess service = start(command({"--most-seeds", "4"}));
  EXPECT_TRUE(comes([&] { return service.has_ended() || !read_together(records_, board_)->empty(); }))
      << service.err_so_far();
  testing::send(service, SIGTERM);
  EXPECT_TRUE(service.wait().succeeded());
  const std::vector<TogetherGain> together = *read_together(records_, board_);
  ASSERT_EQ(together.size(), 1u);
  EXPECT_EQ(together[0].contributor, "ada");
  EXPECT_EQ(together[0].num_heuristics, 2u);
  EXPECT_EQ(together[0].num_seeds, 4u);
  EXPECT_TRUE(together[0].is_current);
  EXPECT_THAT(*read_unmeasured_together(records_, board_), IsEmpty());
  // The offers of each are what they were.
  for (const std::int64_t id : {rows, columns}) EXPECT_EQ((**find_judgement(records_, id)).num_seeds, 4u);
}

TEST(KeptLikenesses, AreWorthALookByFeaturesOrBySources) {
  using server::is_kept;
  EXPECT_FALSE(is_kept({}));
  KeptLikeness likeness;
  likeness.cka = server::kKeptCka;
  EXPECT_TRUE(is_kept(likeness));
  likeness.cka = .9;
  likeness.num_tokens = 1000;
  likeness.num_other_tokens = 240;
  likeness.num_equal = 60;
  EXPECT_TRUE(is_kept(likeness)) << "a fourth of the shorter one";
  likeness.num_other_tokens = 241;
  EXPECT_FALSE(is_kept(likeness));
  likeness.num_tokens = likeness.num_other_tokens = likeness.num_equal = 59;
  EXPECT_FALSE(is_kept(likeness)) << "too short to say something";
}

}  // namespace
}  // namespace mash
