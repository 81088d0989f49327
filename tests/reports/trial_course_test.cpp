// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/trial_course.hpp"

#include <cmath>
#include <map>

#include "tests/records/sample.hpp"

namespace mash {
namespace {

using ::testing::IsEmpty;

// The cuts of a round, each the place of a family, and the weight of its vote.
struct MadeRound {
  std::vector<std::uint32_t> cuts;
  double alpha = 0;
};

class TrialCourseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<Records> opened = Records::open(folder_ / "mash.db");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    records_ = std::make_unique<Records>(std::move(*opened));
  }

  // Records a run of the families a, b and c; each round's number is its place, from 1.
  std::int64_t record(const std::vector<MadeRound>& rounds, const std::vector<CurvePoint>& curve = {}) {
    const auto id = try_to_record(rounds, curve);
    EXPECT_TRUE(id.ok()) << (id.ok() ? "" : id.error().message);
    return id.ok() ? *id : -1;
  }
  // Test errors after rounds.
  std::int64_t record_curve(const std::map<std::uint32_t, double>& errors) {
    std::vector<CurvePoint> curve;
    for (const auto& [round, error] : errors) curve.push_back({round, -0.1, 0.3, error, 100, 0.15});
    return record({}, curve);
  }

  std::vector<CurveBand> bands(std::vector<std::int64_t> ids) {
    const auto found = curve_bands(*records_, ids);
    EXPECT_TRUE(found.ok());
    return found.ok() ? *found : std::vector<CurveBand>();
  }
  UseOverRounds use(std::vector<std::int64_t> ids, std::vector<std::string> families) {
    const auto found = use_over_rounds(*records_, ids, families);
    EXPECT_TRUE(found.ok());
    return found.ok() ? *found : UseOverRounds();
  }

 private:
  Result<std::int64_t> try_to_record(const std::vector<MadeRound>& rounds,
                                     const std::vector<CurvePoint>& curve) {
    const std::vector<FamilyRow> families{sample::family("a"), sample::family("b"), sample::family("c")};
    MASH_ASSIGN(const std::int64_t id, records_->begin(sample::start("demo", ++num_runs_), data_, families));
    const auto recorder = records_->recorder(id);
    for (std::uint32_t i = 0; i < rounds.size(); ++i) {
      RoundEvent event = sample::round(i + 1);
      event.cuts.clear();
      for (const std::uint32_t family_idx : rounds[i].cuts) event.cuts.push_back({family_idx, 0, 0.5f});
      event.alpha = rounds[i].alpha;
      recorder->on_round(event);
    }
    TrainingResult result =
        sample::result(data_, {{100, 1000, 3, 1, 1}, {200, 2000, 5, 1, 1}, {400, 4000, 7, 1, 1}}, 1);
    result.curve = curve;
    MASH_TRY(records_->finish(id, result, {}, data_));
    return id;
  }

  sample::Folder folder_;
  Dataset data_ = sample::dataset();
  std::unique_ptr<Records> records_;
  std::uint64_t num_runs_ = 0;
};

TEST_F(TrialCourseTest, BandsAreMeansWithIntervalsOverTheSeeds) {
  const auto first = record_curve({{1, 0.5}, {10, 0.2}}), second = record_curve({{1, 0.4}, {10, 0.2}});
  const auto both = bands({first, second});
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].round, 1u);
  EXPECT_NEAR(both[0].test_error.mean, 0.45, 1e-12);
  // The deviation is 0.1 / sqrt(2), and t(0.975; 1) = 12.7062.
  EXPECT_NEAR(*both[0].test_error.half_width, 12.7062 * 0.05, 1e-5);
  EXPECT_EQ(both[1].round, 10u);
  EXPECT_NEAR(both[1].test_error.mean, 0.2, 1e-12);
  EXPECT_NEAR(*both[1].test_error.half_width, 0, 1e-12);

  const auto one = bands({second});
  ASSERT_EQ(one.size(), 2u);
  EXPECT_DOUBLE_EQ(one[0].test_error.mean, 0.4);
  EXPECT_FALSE(one[0].test_error.half_width);
}

TEST_F(TrialCourseTest, ARoundThatOnlyOneRunHasAPointAtIsLeftOut) {
  const auto first = record_curve({{1, 0.5}, {2, 0.4}, {7, 0.2}}),
             second = record_curve({{1, 0.4}, {2, 0.3}, {10, 0.1}});
  std::vector<std::uint32_t> rounds;
  for (const CurveBand& band : bands({first, second})) rounds.push_back(band.round);
  EXPECT_THAT(rounds, ::testing::ElementsAre(1, 2));
}

TEST_F(TrialCourseTest, OfNoRunsThereIsNothing) {
  record({{{0}, 1}});
  EXPECT_THAT(bands({}), IsEmpty());
  const UseOverRounds none = use({}, {"a"});
  EXPECT_THAT(none.rounds, IsEmpty());
  EXPECT_EQ(none.offered, 0);
}

TEST_F(TrialCourseTest, TotalsAreSumsOverTheRunsAndTheNamedFamilies) {
  const auto first = record({{{0}, 1}}), second = record({{{1}, 1}});
  const UseOverRounds of_two = use({first, second}, {"a", "c"});
  EXPECT_EQ(of_two.offered, 2 * 500);
  EXPECT_EQ(of_two.evaluated, 2 * 5000);
  EXPECT_EQ(of_two.chosen, 2 * 10);
  EXPECT_EQ(use({first}, {"nobody"}).offered, 0);
}

TEST_F(TrialCourseTest, StretchesPartTheRounds) {
  for (const std::uint32_t num_rounds : {1u, 3u, 10u, 11u, 25u, 100u}) {
    std::vector<MadeRound> rounds;
    for (std::uint32_t i = 0; i < num_rounds; ++i) rounds.push_back({{i % 3}, 0.5});
    const UseOverRounds whole = use({record(rounds)}, {"a", "b", "c"});
    ASSERT_EQ(whole.rounds.size(), std::min(10u, num_rounds));
    std::uint32_t next = 1, shortest = num_rounds, longest = 0;
    for (const RoundUse& stretch : whole.rounds) {
      EXPECT_EQ(stretch.first, next);
      next = stretch.last + 1;
      shortest = std::min(shortest, next - stretch.first);
      longest = std::max(longest, next - stretch.first);
      // All families together have everything.
      EXPECT_DOUBLE_EQ(stretch.chosen, 1);
      EXPECT_DOUBLE_EQ(stretch.alpha, 1);
    }
    EXPECT_EQ(next, num_rounds + 1);
    EXPECT_LE(longest - shortest, 1u) << num_rounds;
  }
}

// Two runs of trees in three rounds, a stretch each.
TEST_F(TrialCourseTest, TheCutsOfARoundShareItsAlpha) {
  const auto first = record({{{0, 1, 1}, 0.6}, {{0}, 0.5}, {{1, 2}, 0.4}});
  const auto second = record({{{0, 0, 2, 2}, -0.8}, {{1, 2}, 0.3}});
  const UseOverRounds of_a = use({first, second}, {"a"}), of_both = use({first, second}, {"a", "c"});
  ASSERT_EQ(of_a.rounds.size(), 3u);
  // Round 1: a third of 0.6 and two quarters of |-0.8|, of 1.4; three of seven cuts.
  EXPECT_DOUBLE_EQ(of_a.rounds[0].alpha, (0.2 + 0.4) / 1.4);
  EXPECT_DOUBLE_EQ(of_a.rounds[0].chosen, 3.0 / 7);
  EXPECT_DOUBLE_EQ(of_both.rounds[0].alpha, (0.2 + 0.8) / 1.4);
  EXPECT_DOUBLE_EQ(of_both.rounds[0].chosen, 5.0 / 7);
  // Round 2: 0.5 of 0.5 + 0.3.
  EXPECT_DOUBLE_EQ(of_a.rounds[1].alpha, 0.5 / 0.8);
  EXPECT_DOUBLE_EQ(of_a.rounds[1].chosen, 1.0 / 3);
  EXPECT_DOUBLE_EQ(of_both.rounds[1].alpha, 0.65 / 0.8);
  // Round 3: the second run had ended.
  EXPECT_EQ(of_a.rounds[2].alpha, 0);
  EXPECT_EQ(of_a.rounds[2].chosen, 0);
  EXPECT_DOUBLE_EQ(of_both.rounds[2].alpha, 0.5);
}

TEST_F(TrialCourseTest, SharesAreFractionsAndThoseOfAllFamiliesAddUp) {
  std::vector<MadeRound> rounds;
  for (std::uint32_t i = 0; i < 37; ++i) {
    MadeRound& round = rounds.emplace_back();
    for (std::uint32_t j = 0; j <= i % 4; ++j) round.cuts.push_back((i * i + j) % 3);
    round.alpha = (i % 5 == 0 ? -1 : 1) / (1.0 + i);
  }
  const auto id = record(rounds);
  std::vector<double> chosen(10), alpha(10);
  for (const char* family : {"a", "b", "c"}) {
    const UseOverRounds of_one = use({id}, {family});
    for (std::size_t i = 0; i < 10; ++i) {
      for (const double share : {of_one.rounds[i].chosen, of_one.rounds[i].alpha})
        EXPECT_TRUE(share >= 0 && share <= 1) << share;
      chosen[i] += of_one.rounds[i].chosen;
      alpha[i] += of_one.rounds[i].alpha;
    }
  }
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(chosen[i], 1, 1e-12);
    EXPECT_NEAR(alpha[i], 1, 1e-12);
  }
}

TEST_F(TrialCourseTest, IdleRoundsAreNobodys) {
  const UseOverRounds of_a = use({record({{{0}, 0.5}, {{}, 0}})}, {"a"});
  ASSERT_EQ(of_a.rounds.size(), 2u);
  EXPECT_EQ(of_a.rounds[0].chosen, 1);
  EXPECT_EQ(of_a.rounds[1].chosen, 0);
  EXPECT_EQ(of_a.rounds[1].alpha, 0);
}

}  // namespace
}  // namespace mash
