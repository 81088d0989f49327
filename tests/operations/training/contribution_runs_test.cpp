// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/contribution_runs.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/dataset/held_out.hpp"
#include "tests/records/sample.hpp"
#include "tests/support/heard_progress.hpp"
#include "tests/support/heard_remarks.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using ::testing::Contains;
using testing::FakeFamily;
using ::testing::Not;
using testing::World;

constexpr std::size_t kNumTrain = 600, kNumTest = 400, kNumClasses = 4;

std::vector<std::uint16_t> all_labels() {
  return testing::random_labels(kNumTrain + kNumTest, kNumClasses, 11);
}
Dataset examples() {
  const auto labels = all_labels();
  return testing::numbered_images({labels.begin(), labels.begin() + kNumTrain},
                                  {labels.begin() + kNumTrain, labels.end()}, kNumClasses);
}

// Standard normal, of the family, the example and the feature.
double noise(std::uint64_t family, std::uint32_t example, std::uint32_t feature) {
  return RandomStream(family, "test.planted", std::uint64_t(example) << 8 | feature).normal();
}

// Six features, of which feature j tells whether the class is first + j % 2, beside noise.
FakeFamily planted(std::string id, std::uint64_t number, std::uint16_t first, double strength) {
  return {std::move(id), 6, [=, labels = all_labels()](std::uint32_t n, std::uint32_t j) {
            return float(strength * (labels[n] == first + j % 2) + noise(number, n, j));
          }};
}

std::vector<FakeFamily> pool() {
  return {planted("low", 1, 0, 1.5), planted("high", 2, 2, 1.5), planted("low-copy", 1, 0, 1.5),
          planted("noise", 3, 0, 0)};
}
FakeFamily leak() {
  return {"leak", 1, [labels = all_labels()](std::uint32_t n, std::uint32_t) { return float(labels[n]); }};
}

ContributionSettings with_seeds(std::vector<std::uint64_t> seeds) {
  ContributionSettings settings;
  settings.seeds = std::move(seeds);
  return settings;
}

// A world, records and an experiment on all of its families.
struct Planted {
  explicit Planted(std::vector<FakeFamily> families, int num_threads = 2)
      : world(examples(), std::move(families), num_threads) {
    experiment.name = "planted";
    experiment.dataset.name = "numbered";
    experiment.booster.name = "adaboost.mh";
    experiment.booster.settings.add("rounds", "40", "test");
    experiment.weak.name = "stump";
    experiment.sampler.name = "laminating";
    experiment.sampler.settings.add("budget", "5", "test");
    experiment.sampler.settings.add("features", "8", "test");
    auto records = Records::open(world.folder / "records.db");
    if (!records.ok()) throw std::runtime_error(records.error().message);
    const std::vector<std::size_t> all = all_families();
    space.emplace(Workspace{Catalogue::scan({}), std::make_unique<const Dataset>(world.dataset),
                            world.features().subset(all), *std::move(records), world.folder.path()});
  }

  std::vector<std::size_t> all_families() const {
    std::vector<std::size_t> all(world.features().num_families());
    std::iota(all.begin(), all.end(), std::size_t(0));
    return all;
  }

  SubsetTrainer trainer(Judges judges = Judges::kTest) {
    auto made = SubsetTrainer::make(experiment, *space, world.work, judges);
    if (!made.ok()) throw std::runtime_error(made.error().message);
    return *std::move(made);
  }
  PoolContribution analyse(const ContributionSettings& settings = {}) {
    SubsetTrainer one = trainer();
    auto pool = pool_contribution(one, settings);
    if (!pool.ok()) throw std::runtime_error(pool.error().message);
    num_trained = one.num_trained();
    return std::move(pool->contribution);
  }

  World world;
  Experiment experiment;
  std::optional<Workspace> space;
  std::size_t num_trained = 0;
};

TEST(PoolContribution, FindsWhatWasPlanted) {
  Planted planted(pool());
  const PoolContribution result = planted.analyse();
  ASSERT_EQ(result.families.size(), 4u);
  const FamilyContribution &low = result.families[0], &high = result.families[1], &copy = result.families[2],
                           &noise = result.families[3];

  EXPECT_GT(high.added.gain.mean, *high.added.gain.half_width);

  for (const FamilyContribution* twin : {&low, &copy}) {
    EXPECT_NEAR(twin->neighbours[0].cka, 1, 1e-12);
    EXPECT_GT(twin->neighbours[0].explained_by, 0.95);
  }
  EXPECT_EQ(low.neighbours[0].family_idx, 2u);
  EXPECT_EQ(copy.cost.num_pool_copies, 6u);

  EXPECT_LT(std::abs(noise.margin_share->mean), 0.1);
  EXPECT_LT(noise.neighbours[0].cka, 0.1);

  double shares = 0, alpha_shares = 0;
  for (const FamilyContribution& family : result.families) {
    shares += family.margin_share->mean;
    alpha_shares += family.alpha_share.mean;
  }
  EXPECT_NEAR(shares, 1, 1e-12);
  EXPECT_NEAR(alpha_shares, 1, 1e-12);
  EXPECT_GT(result.mean_margin, 0);
}

TEST(PoolContribution, OneBarIsOverAllTrainingsAndARemarkSaysHowManyThereAre) {
  Planted planted(pool());
  testing::HeardProgress heard;
  testing::HeardRemarks remarks;
  const WorkContext work{planted.world.workers, heard, remarks, planted.world.stop};
  ContributionSettings settings = with_seeds({1, 2});
  settings.shapley = ShapleySettings{.num_pairs = 4};
  for (const bool is_recorded : {false, true}) {
    auto trainer = SubsetTrainer::make(planted.experiment, *planted.space, work);
    ASSERT_TRUE(trainer.ok());
    ASSERT_TRUE(pool_contribution(*trainer, settings).ok());
    EXPECT_EQ(heard.tasks.size(), 1u) << "none where all is recorded";
    EXPECT_EQ(trainer->num_trained() == 0, is_recorded);
  }
  EXPECT_EQ(heard.num_finished, 1u);
  EXPECT_GE(heard.total, heard.done) << "Shapley values may need fewer";
  EXPECT_GT(heard.done, heard.total / 2);
  ASSERT_EQ(remarks.told.size(), 1u);
  EXPECT_THAT(remarks.told[0],
              ::testing::MatchesRegex(
                  "[0-9]+ trainings to make, then up to [0-9]+ that depend on these: about [0-9]+ s"));
}

TEST(PoolContribution, ALeakErrsOnNothingAlone) {
  auto families = pool();
  families.push_back(leak());
  Planted planted(std::move(families));
  const PoolContribution result = planted.analyse(with_seeds({1, 2, 3}));
  EXPECT_LT(result.families[4].alone_error.mean, 0.01);
  for (const std::size_t k : {0u, 1u, 2u, 3u}) EXPECT_GT(result.families[k].alone_error.mean, 0.02);
}

TEST(PoolContribution, ShapleyCreditAddsUp) {
  Planted planted(pool());
  ContributionSettings settings;
  settings.seeds = {1, 2};
  settings.shapley = ShapleySettings{.num_pairs = 12};
  const PoolContribution result = planted.analyse(settings);
  ASSERT_TRUE(result.shapley);
  double sum = 0;
  for (const ShapleyValue& value : result.shapley->families) sum += value.mean;
  EXPECT_NEAR(sum, result.shapley->total, 1e-12);
  EXPECT_EQ(result.shapley->num_subsets, 30u) << "all 15, with each of two seeds";
  for (std::size_t k = 0; k < 4; ++k) {
    const std::vector<double>& pictures = result.shapley->parts[k].of_pictures;
    ASSERT_EQ(pictures.size(), kNumTest);
    EXPECT_NEAR(std::accumulate(pictures.begin(), pictures.end(), 0.0) / double(kNumTest),
                result.shapley->families[k].mean, 1e-5);
    EXPECT_GT(result.shapley->families[k].degrees, 0) << "both seeds and pictures count";
  }
  EXPECT_GT(result.shapley->total, 0) << "all families leave less of the log-loss than none";
  EXPECT_LT(result.shapley->total, std::log(double(kNumClasses)));
  const auto &low = *result.families[0].shapley, &copy = *result.families[2].shapley,
             &noise = *result.families[3].shapley;
  // Copies earn alike and noise nothing, except for what one seed's trainings differ by.
  EXPECT_NEAR(low.mean, copy.mean, 0.02);
  EXPECT_LT(std::abs(noise.mean), 0.02);
  EXPECT_GT(result.families[1].shapley->mean, 4 * std::abs(noise.mean));
}

TEST(PoolContribution, NothingIsTrainedTwice) {
  Planted planted(pool());
  const PoolContribution first = planted.analyse(with_seeds({1, 2}));
  // All; each alone; without each.
  EXPECT_EQ(planted.num_trained, 2u * (1 + 4 + 4));
  const PoolContribution again = planted.analyse(with_seeds({1, 2}));
  EXPECT_EQ(planted.num_trained, 0u);
  EXPECT_EQ(first.families[1].added.fixed, again.families[1].added.fixed);
  EXPECT_EQ(first.families[1].added.gains, again.families[1].added.gains);
  EXPECT_EQ(first.families[1].margin_share->mean, again.families[1].margin_share->mean);
  // Recorded like any run, with predictions; in no leaderboard.
  SQLite::Database& database = sample::database(planted.space->records);
  EXPECT_EQ(database.execAndGet("SELECT COUNT(*) FROM finished WHERE trial = 0").getInt(), 0);
  EXPECT_EQ(database.execAndGet("SELECT COUNT(*) FROM heuristic_use").getInt(), 0);
  EXPECT_EQ(database.execAndGet("SELECT COUNT(*) FROM run_groups").getInt(), 0);
  EXPECT_EQ(database
                .execAndGet("SELECT MIN(n) FROM (SELECT COUNT(*) AS n FROM predictions GROUP BY "
                            "experiment_id)")
                .getInt(),
            int(kNumTest));
}

TEST(SubsetTrainer, ALostModelIsTrainedAgainButNotRecordedAgain) {
  Planted planted(pool());
  const std::vector<SubsetJob> jobs{{{0, 1}, 1, true}};
  SubsetTrainer trainer = planted.trainer();
  const auto first = trainer.run(jobs);
  ASSERT_TRUE(first.ok());
  std::filesystem::remove_all(planted.world.folder / "models");
  const auto again = trainer.run(jobs);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(trainer.num_trained(), 2u);
  EXPECT_EQ(*(*first)[0].model, *(*again)[0].model);
  EXPECT_EQ((*first)[0].run_id, (*again)[0].run_id);
  EXPECT_EQ((*first)[0].test.losses, (*again)[0].test.losses);
  EXPECT_EQ((*first)[0].test.losses.size(), kNumTest);
  ASSERT_TRUE(trainer.run(jobs).ok());
  EXPECT_EQ(trainer.num_trained(), 2u);
  EXPECT_EQ(trainer.num_found(), 0u) << "it has made them itself";
  SubsetTrainer later = planted.trainer();
  ASSERT_TRUE(later.run(jobs).ok() && later.run(jobs).ok());
  EXPECT_EQ(later.num_found(), 1u) << "once";
}

TEST(SubsetTrainer, WhereTheHeldOutPartJudgesItDoesNotTrain) {
  const std::vector<SubsetJob> jobs{{{0, 1}, 1, true}};
  Planted planted(pool());
  SubsetTrainer trainer = planted.trainer(Judges::kHeldOut);
  const auto first = trainer.run(jobs);
  ASSERT_TRUE(first.ok());
  const auto held_out = held_out_part(planted.world.dataset);
  EXPECT_EQ((*first)[0].test.losses.size(), held_out.size());
  EXPECT_EQ((*first)[0].test.predicted.size(), trainer.labels().size());
  const auto on_test = planted.trainer().run(jobs);
  ASSERT_TRUE(on_test.ok());
  EXPECT_FALSE(*(*on_test)[0].model == *(*first)[0].model) << "which all of them train";
  EXPECT_NE((*on_test)[0].run_id, (*first)[0].run_id);
  SubsetTrainer later = planted.trainer(Judges::kHeldOut);
  const auto again = later.run(jobs);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(later.num_found(), 1u);
  EXPECT_EQ((*again)[0].test.losses, (*first)[0].test.losses);

  Planted other(pool());
  Dataset changed = other.world.dataset;
  for (const std::uint32_t n : held_out)
    changed.train.labels[n] = std::uint16_t((changed.train.labels[n] + 1) % kNumClasses);
  other.space->dataset = std::make_unique<const Dataset>(std::move(changed));
  const auto unseen = other.trainer(Judges::kHeldOut).run(jobs);
  ASSERT_TRUE(unseen.ok());
  EXPECT_EQ(*(*unseen)[0].model, *(*first)[0].model) << "their labels are not looked at";
  EXPECT_GT((*unseen)[0].test.test_error, (*first)[0].test.test_error + .1);
}

TEST(SubsetTrainer, SameBitsForAnyNumberOfThreads) {
  std::vector<StrongClassifier> models;
  for (const int num_threads : {1, 2, 3, 8}) {
    Planted planted(pool(), num_threads);
    SubsetTrainer trainer = planted.trainer();
    const auto runs = trainer.run(std::vector<SubsetJob>{{{0, 1, 3}, 5, true}, {{1, 2}, 5, true}});
    ASSERT_TRUE(runs.ok());
    for (const SubsetRun& run : *runs) models.push_back(*run.model);
  }
  for (std::size_t i = 2; i < models.size(); ++i) EXPECT_EQ(models[i], models[i % 2]);
}

TEST(MarginShares, AddUpToTheRecordedMargins) {
  for (const auto& [name, key, value] :
       {std::tuple{"stump", "", ""}, {"tree", "leaves", "5"}, {"product", "terms", "3"}}) {
    Planted planted(pool());
    planted.experiment.weak.name = name;
    if (*key) planted.experiment.weak.settings.add(key, value, "test");
    SubsetTrainer trainer = planted.trainer();
    const auto runs = trainer.run(std::vector<SubsetJob>{{{0, 1, 2, 3}, 1, true}});
    ASSERT_TRUE(runs.ok()) << name;
    const StrongClassifier& model = *(*runs)[0].model;
    const auto answers = CutAnswers::make(model, planted.world.features());
    ASSERT_TRUE(answers.ok());
    const MarginShares shares =
        margin_shares(model, *answers, planted.world.dataset.test.labels, planted.world.workers);
    const double recorded = sample::database(planted.space->records)
                                .execAndGet("SELECT AVG(margin) FROM predictions")
                                .getDouble();
    EXPECT_NEAR(shares.mean_margin, recorded, 1e-12) << name;
    double sum = 0;
    for (const double share : shares.families) sum += share;
    EXPECT_NEAR(sum, recorded, 1e-12) << name;
  }
}

TEST(SubsetTrainer, ATunedSamplerIsRefused) {
  Planted planted(pool());
  planted.experiment.sampler = {"best-family", {}, "e.yaml:5"};
  const auto trainer = SubsetTrainer::make(planted.experiment, *planted.space, planted.world.work);
  ASSERT_FALSE(trainer.ok());
  EXPECT_EQ(trainer.error().kind, ErrorKind::kInput);
  EXPECT_THAT(trainer.error().message, ::testing::HasSubstr("e.yaml:5: sampler best-family"));
}

TEST(SubsetTrainer, StopsWhenAsked) {
  Planted planted(pool());
  planted.world.stop.raise();
  SubsetTrainer trainer = planted.trainer();
  const auto runs = trainer.run(std::vector<SubsetJob>{{{0}, 1, false}});
  ASSERT_FALSE(runs.ok());
  EXPECT_EQ(runs.error().kind, ErrorKind::kStopped);
}

}  // namespace
}  // namespace mash
