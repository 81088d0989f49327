// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/online_loop.hpp"

#include <set>

#include "tests/online/online_world.hpp"

namespace mash {
namespace {

using testing::TrialRow;

constexpr std::uint32_t kNumExamples = 60, kNumFeatures = 12;
constexpr std::uint64_t kSeed = 3;

// Examples of three classes; feature j is higher in class j % 3.
struct World {
  std::vector<std::uint16_t> labels;
  std::vector<float> x;                   // kNumFeatures of each example, side by side
  mutable std::set<std::uint32_t> asked;  // features
  mutable std::size_t num_asked = 0;      // examples
  ExampleValues values = [this](std::uint32_t example_idx, std::span<const std::uint32_t> features,
                                std::span<float> out) {
    EXPECT_EQ(features.size(), out.size());
    EXPECT_EQ(std::set(features.begin(), features.end()).size(), features.size());
    asked.insert(features.begin(), features.end());
    ++num_asked;
    for (std::size_t k = 0; k < features.size(); ++k)
      out[k] = x[std::size_t(example_idx) * kNumFeatures + features[k]];
  };

  ExampleLabel label = [this](std::uint32_t example_idx) { return labels.at(example_idx); };

  explicit World(std::uint16_t num_classes = 3) {
    RandomStream stream(1, "test.world");
    for (std::uint32_t n = 0; n < kNumExamples; ++n) {
      labels.push_back(std::uint16_t(stream.below(num_classes)));
      for (std::uint32_t j = 0; j < kNumFeatures; ++j)
        x.push_back(float(stream.normal() + (j % 3 == labels.back() ? 1.5 : 0)));
    }
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  OnlineData data() const { return {label, kNumFeatures, values}; }
  std::vector<float> example(std::uint32_t n) const {
    const auto begin = x.begin() + std::ptrdiff_t(n) * kNumFeatures;
    return {begin, begin + kNumFeatures};
  }
};

std::vector<std::unique_ptr<OnlineBooster>> boosters_of(const TrialRow& row, std::uint32_t num_problems) {
  std::vector<std::unique_ptr<OnlineBooster>> boosters;
  for (std::uint32_t l = 0; l < num_problems; ++l) {
    OnlineTask task{problem_seed(kSeed, l), kNumFeatures, {}};
    for (std::uint32_t j = 0; j < kNumFeatures; j += 1 + l)
      task.learners.emplace_back(FeatureStump{j, 0.75f, j % 3 == l ? 1 : -1});
    boosters.push_back(testing::booster_of(row.name, row.assignments, task));
  }
  return boosters;
}

OnlineLoop loop_of(const World& world, const TrialRow& row, std::uint32_t num_problems = 3) {
  return {world.data(), boosters_of(row, num_problems), ExampleStream(kSeed, kNumExamples)};
}

std::vector<OnlineCounts> run(OnlineLoop& loop, std::uint64_t num_examples, std::uint64_t report_every = 1000,
                              int num_threads = 1) {
  std::vector<OnlineCounts> reports;
  const StopFlag stop;
  loop.run(
      num_examples, report_every, [&](const OnlineCounts& counts) { reports.push_back(counts); },
      Workers(num_threads), stop);
  return reports;
}

void expect_same(const OnlineLoop& a, const OnlineLoop& b) {
  EXPECT_EQ(a.counts(), b.counts());
  const OnlineState left = a.state(), right = b.state();
  EXPECT_EQ(left.place, right.place);
  EXPECT_EQ(left.boosters, right.boosters);
}

class AnyOnlineLoop : public ::testing::TestWithParam<TrialRow> {};

INSTANTIATE_TEST_SUITE_P(Rows, AnyOnlineLoop, ::testing::ValuesIn(testing::trial_rows()),
                         [](const auto& info) { return fmt::format("row_{}", info.index); });

// The loop as its comment says it, without blocks and shared values.
TEST_P(AnyOnlineLoop, IsTheSimpleLoop) {
  const World world;
  OnlineLoop loop = loop_of(world, GetParam());
  run(loop, 300);
  auto boosters = boosters_of(GetParam(), 3);
  ExampleStream stream(kSeed, kNumExamples);
  std::uint64_t num_wrong = 0;
  for (int i = 0; i < 300; ++i) {
    const std::uint32_t n = stream.next();
    std::vector<double> scores;
    for (const auto& booster : boosters) scores.push_back(testing::score_of(*booster, world.example(n)));
    const auto guess = std::max_element(scores.begin(), scores.end()) - scores.begin();
    num_wrong += guess != world.labels[n];
    for (std::size_t l = 0; l < 3; ++l)
      testing::show(*boosters[l], {world.example(n), world.labels[n] == l ? 1 : -1});
  }
  EXPECT_EQ(loop.counts(), (OnlineCounts{300, num_wrong}));
  ASSERT_EQ(loop.num_boosters(), 3u);
  for (std::size_t l = 0; l < 3; ++l) EXPECT_EQ(loop.booster(l).state(), boosters[l]->state()) << l;
}

TEST_P(AnyOnlineLoop, ThreadsChangeNothing) {
  const World world;
  OnlineLoop one = loop_of(world, GetParam()), four = loop_of(world, GetParam());
  run(one, 200, 1000, 1);
  run(four, 200, 1000, 4);
  expect_same(one, four);
}

TEST_P(AnyOnlineLoop, GoesOnFromItsStateToTheBit) {
  const World world;
  OnlineLoop whole = loop_of(world, GetParam()), first = loop_of(world, GetParam()),
             resumed = loop_of(world, GetParam());
  run(whole, 250);
  run(first, 97);
  resumed.restore(first.state());
  run(resumed, 250);
  expect_same(resumed, whole);
}

TEST_P(AnyOnlineLoop, LearnsTheClasses) {
  const World world;
  OnlineLoop loop = loop_of(world, GetParam());
  const auto reports = run(loop, 2000, 1000);
  ASSERT_EQ(reports.size(), 2u);
  const double late = double(reports[1].num_wrong - reports[0].num_wrong) / 1000;
  EXPECT_LT(late, 0.5) << "chance is 0.67";
}

const TrialRow kRow{"oza-russell", {}};

TEST(OnlineLoop, ReportsAfterEverySoMany) {
  const World world;
  OnlineLoop loop = loop_of(world, kRow);
  std::vector<std::uint64_t> reported;
  for (const OnlineCounts& counts : run(loop, 250, 100)) reported.push_back(counts.num_learned);
  EXPECT_EQ(reported, (std::vector<std::uint64_t>{100, 200, 250}));
  EXPECT_TRUE(run(loop, 250, 100).empty()) << "nothing is left to learn";
  EXPECT_NEAR(loop.counts().error(), double(loop.counts().num_wrong) / 250, 1e-15);
  EXPECT_EQ(OnlineCounts().error(), 0);
}

TEST(OnlineLoop, StoppedGoesOnAsIfItHadNot) {
  const World world;
  OnlineLoop whole = loop_of(world, kRow), stopped = loop_of(world, kRow);
  run(whole, 300);
  StopFlag stop;
  stopped.run(
      300, 100, [&](const OnlineCounts&) { stop.raise(); }, Workers(1), stop);
  EXPECT_EQ(stopped.counts().num_learned, 100u);
  run(stopped, 300);
  expect_same(stopped, whole);
}

TEST(OnlineLoop, GuessesBeforeItLearns) {
  const World world;
  OnlineLoop loop = loop_of(world, kRow);
  run(loop, 1);
  const bool is_first_of_all = world.labels[ExampleStream(kSeed, kNumExamples).next()] == 0;
  EXPECT_EQ(loop.counts().num_wrong, is_first_of_all ? 0u : 1u) << "all scores are 0, which is class 0";
}

TEST(OnlineLoop, AsksForWhatTheBoostersWant) {
  const World world;
  std::vector<std::unique_ptr<OnlineBooster>> boosters;
  for (const std::uint32_t feature : {4u, 4u, 7u})
    boosters.push_back(testing::booster_of("osboost", {}, {1, kNumFeatures, {OnlineStump(feature)}}));
  OnlineLoop loop(world.data(), std::move(boosters), ExampleStream(kSeed, kNumExamples));
  run(loop, 130);
  EXPECT_EQ(world.asked, (std::set<std::uint32_t>{4, 7}));
  EXPECT_EQ(world.num_asked, 130u);
}

TEST(OnlineLoop, OneBoosterHasTwoClasses) {
  const World world(2);
  OnlineLoop loop = loop_of(world, {"selectors", {{"selectors", "10"}, {"pool", "5"}}}, 1);
  const auto reports = run(loop, 2000, 1000);
  EXPECT_LT(double(reports[1].num_wrong - reports[0].num_wrong) / 1000, 0.35);
  double num_right = 0;
  for (std::uint32_t n = 0; n < kNumExamples; ++n)
    num_right += (testing::score_of(loop.booster(0), world.example(n)) > 0) == (world.labels[n] == 1);
  EXPECT_GT(num_right / kNumExamples, 0.65);
}

TEST(OnlineLoop, WantsBoostersAndTheirFeatures) {
  const World world;
  EXPECT_THROW(OnlineLoop(world.data(), {}, ExampleStream(1, kNumExamples)), std::logic_error);
  OnlineData data = world.data();
  data.num_features = 2;
  EXPECT_THROW(OnlineLoop(data, boosters_of(kRow, 3), ExampleStream(1, kNumExamples)), std::logic_error);
  OnlineLoop loop = loop_of(world, kRow);
  EXPECT_THROW(run(loop, 10, 0), std::logic_error);
  OnlineState state = loop.state();
  state.boosters.pop_back();
  EXPECT_THROW(loop.restore(state), std::logic_error);
}

TEST(ProblemSeed, DiffersFromProblemToProblem) {
  EXPECT_EQ(problem_seed(1, 2), problem_seed(1, 2));
  EXPECT_NE(problem_seed(1, 2), problem_seed(1, 3));
  EXPECT_NE(problem_seed(1, 2), problem_seed(2, 2));
}

}  // namespace
}  // namespace mash
