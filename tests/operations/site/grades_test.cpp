// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/grades.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "framework/operations/site/admin.hpp"
#include "framework/records/submission_queue.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class GradesOfABoard : public ::testing::Test {
 protected:
  std::int64_t add(const std::string& name, std::string_view role = kContributorRole) {
    return *add_user(records_, {0, name, std::string(role), ""});
  }
  // Half the width of the interval is 1.
  std::int64_t publish(std::int64_t user, const std::string& heuristic, double gain,
                       const std::string& finding = "adds", const std::string& digest = "") {
    const std::int64_t id =
        *add_submission(records_, {user, board_, "", "a.cpp", "int " + heuristic + ";", "MIT"});
    const Lease lease = **take_submission(records_, 60);
    EXPECT_TRUE(name_submission(records_, lease, heuristic, "1.0.0", "").ok());
    Judgement judgement{{gain, .5, gain - 1, gain + 1, 8, finding}, 10, 4, "<p>", "{}"};
    judgement.features_digest = digest;
    EXPECT_TRUE(publish_submission(records_, lease, judgement, 1).ok());
    return id;
  }
  // The row of a contributor in the document.
  nlohmann::ordered_json row_of(const std::string& name, const std::string& points = "1=1, 2=3, 5=6") {
    const auto document = to_json(*read_grades(records_, "digits", points));
    for (const auto& row : document["grades"])
      if (row["contributor"] == name) return row;
    return nullptr;
  }

  testing::ScratchFolder folder_;
  Records records_ = *Records::open(folder_ / "mash.db");
  std::int64_t board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 8});
  std::int64_t ada_ = add("ada");
};

// The numbers of docs/operations.md.
TEST_F(GradesOfABoard, ThePointsAreThoseOfTheIntervalThatHoldsTheBestGain) {
  const std::int64_t eve = add("eve"), bob = add("bob");
  add("dora");
  publish(ada_, "weak", .5);
  const std::int64_t best = publish(ada_, "strong", 3.5);
  publish(eve, "edge", 4.6);
  publish(bob, "undecided", .4);
  const auto ada = row_of("ada");
  EXPECT_EQ(ada["heuristic"], "strong");
  EXPECT_EQ(ada["submission"], best);
  EXPECT_EQ(ada["gain"], 3.5);
  EXPECT_EQ(ada["gain_low"], 2.5);
  EXPECT_EQ(ada["gain_high"], 4.5);
  for (const char* key : {"points_low", "points", "points_high"}) EXPECT_EQ(ada[key], 3) << key;
  struct Row {
    const char* name;
    double low, points, high;
  };
  for (const Row& row : {Row{"eve", 3, 3, 6}, Row{"bob", 0, 0, 1}, Row{"dora", 0, 0, 0}}) {
    const auto found = row_of(row.name);
    EXPECT_EQ(found["points_low"], row.low) << row.name;
    EXPECT_EQ(found["points"], row.points) << row.name;
    EXPECT_EQ(found["points_high"], row.high) << row.name;
  }
  EXPECT_EQ(row_of("dora")["heuristic"], nullptr);
  EXPECT_EQ(row_of("ada", "3.5=2")["points"], 2) << "an interval holds its beginning";
  EXPECT_EQ(row_of("ada", "3.6=2")["points"], 0);
  EXPECT_EQ(row_of("ada", "3.5=2.5")["points"], 2.5);
}

TEST_F(GradesOfABoard, AGainThatIsNotToldHasNoPoints) {
  publish(ada_, "easy", 0, std::string(kNothingToLearn));
  const auto row = row_of("ada");
  EXPECT_EQ(row["finding"], kNothingToLearn);
  for (const char* key : {"gain", "gain_low", "points", "points_low", "points_high"})
    EXPECT_EQ(row[key], nullptr) << key;
  publish(ada_, "told", -3);
  EXPECT_EQ(row_of("ada")["heuristic"], "told") << "one with a gain comes first";
}

TEST_F(GradesOfABoard, ACopySaysWhose) {
  const std::int64_t eve = add("eve"), first = publish(ada_, "one", 3, "adds", "digest");
  publish(eve, "two", 1, "adds", "digest");
  EXPECT_EQ(row_of("ada")["copy_of"], nullptr);
  EXPECT_EQ(row_of("eve")["copy_of"], first);
  for (const char* key : {"gain", "gain_low", "points", "points_low", "points_high", "num_seeds"})
    EXPECT_EQ(row_of("eve")[key], row_of("ada")[key]) << key;
}

TEST_F(GradesOfABoard, TheRowsAreContributorsWithAnAccount) {
  const std::int64_t olga = add("olga", kOperatorRole), eve = add("eve");
  publish(olga, "hers", 9);
  publish(eve, "kept", 9);
  ASSERT_TRUE(close_account(records_, eve, ClosedWork::kStays).ok());
  const Grades grades = *read_grades(records_, "digits", "0=1");
  ASSERT_EQ(grades.rows.size(), 1u);
  EXPECT_EQ(grades.rows[0].contributor, "ada");
}

TEST_F(GradesOfABoard, TheMappingIsTheBoardsOrOneThatIsGiven) {
  EXPECT_THAT(read_grades(records_, "digits", {}).error().message,
              HasSubstr("board 'digits': has no points for gains"));
  ASSERT_TRUE(put_board_terms(records_, "digits", {.points = "0=2"}).ok());
  EXPECT_EQ(to_json(*read_grades(records_, "digits", {}))["points"], "0=2");
  EXPECT_EQ(to_json(*read_grades(records_, "digits", "1=5"))["points"], "1=5");
  EXPECT_THAT(read_grades(records_, "digits", "x").error().message, HasSubstr("points: found 'x'"));
  EXPECT_THAT(read_grades(records_, "digit", {}).error().message, HasSubstr("did you mean 'digits'?"));
}

TEST_F(GradesOfABoard, WhatIsNotJudgedYetIsTold) {
  const auto remarks = [&] { return remarks_on(*read_grades(records_, "digits", "0=1")); };
  publish(ada_, "one", 3);
  publish(ada_, "two", 2);
  EXPECT_THAT(remarks(), IsEmpty());
  ASSERT_TRUE(put_board(records_, {0, "digits", "dataset: {name: digits}", 16}).ok());
  EXPECT_THAT(remarks(),
              ElementsAre("2 heuristics stand on a former version of digits only, without points here: mash "
                          "server rerun digits judges them again"));
  EXPECT_EQ(rerun_board(records_, "digits")->num_submissions, 2u);
  EXPECT_THAT(remarks(), ElementsAre("2 submissions of digits wait or are judged: points may still change"));
  const Lease lease = **take_submission(records_, 60);
  ASSERT_TRUE(end_submission(records_, lease, SubmissionState::kFailed, "disk", Blame::kServer, 1).ok());
  EXPECT_THAT(remarks(),
              ElementsAre("1 submission of digits waits or is judged: points may still change",
                          "1 heuristic stands on a former version of digits only, without points here: mash "
                          "server rerun digits judges it again"));
  const auto document = to_json(*read_grades(records_, "digits", "0=1"));
  EXPECT_EQ(document["num_in_work"], 1);
  EXPECT_EQ(document["num_on_former_versions"], 1);
}

TEST_F(GradesOfABoard, ATableHasARowForEach) {
  publish(add("-x"), "rows", 3.5);
  const std::string csv = render_csv(without_formulas(grades_table(*read_grades(records_, "digits", "2=3"))));
  EXPECT_THAT(csv, HasSubstr("contributor,invited_as,heuristic,version,submission,finding,num_seeds,copy_of,"
                             "gain_low,gain,gain_high,points_low,points,points_high\r\n"));
  EXPECT_THAT(csv, HasSubstr("\r\n'-x,,rows,1.0.0,1,adds,8,,2.5,3.5,4.5,3,3,3\r\n"));
  EXPECT_THAT(csv, HasSubstr("\r\nada,,,,,,,,,,,0,0,0\r\n"));
}

}  // namespace
}  // namespace mash
