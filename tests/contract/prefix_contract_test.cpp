// SPDX-License-Identifier: Apache-2.0
// Promises of every row of the tables of boosters and samplers about trainings of other numbers of rounds.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "classifiers/builtin.hpp"
#include "tests/contract/run_comparison.hpp"
#include "tests/support/heard_remarks.hpp"
#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::fingerprint;
using testing::hypotheses_of;
using testing::Training;
using testing::World;

constexpr std::uint32_t kFew = 33;  // no round of the curve

Dataset three_classes() {
  std::vector<std::uint16_t> train(300), test(60);
  for (std::size_t n = 0; n < train.size(); ++n) train[n] = std::uint16_t(n % 3);
  for (std::size_t n = 0; n < test.size(); ++n) test[n] = std::uint16_t(n % 3);
  return testing::numbered_images(train, test, 3);
}

// Noise with some of the class in every fourth feature.
std::vector<testing::FakeFamily> three_families() {
  const auto value = [](std::uint32_t salt) {
    return [salt](std::uint32_t n, std::uint32_t j) {
      const std::uint32_t noise = (n * 2654435761u + j * 40503u + salt * 977u) >> 8;
      return float(noise % 50 + (j % 4 == 0 ? n % 3 * (5 + j % 7) : 0));
    };
  };
  return {{"a", 3, value(1)}, {"b", 40, value(2)}, {"c", 90, value(3)}};
}

// The promises, of trainings by a function of their number of rounds.
class Prefix : public ::testing::TestWithParam<std::string> {
 protected:
  virtual Training training(std::uint32_t num_rounds) const = 0;

  std::string run(Training training, int num_threads = 1) {
    const Workers workers(num_threads);
    const TrainingResult result = training.run(world_.dataset, world_.features(), workers);
    return fingerprint(result, training.events);
  }
  std::string run(std::uint32_t num_rounds, const std::filesystem::path& rounds, int num_threads = 1) {
    Training one = training(num_rounds);
    one.rounds_file = rounds;
    return run(std::move(one), num_threads);
  }

  // Whether the first rounds of a training of twice as many are the training of few.
  bool begins_with_few() {
    Training few = training(kFew), many = training(2 * kFew);
    const std::vector<Hypothesis> first = hypotheses_of(few.run(world_)),
                                  all = hypotheses_of(many.run(world_));
    const std::vector<RoundEvent>&of_few = few.events.rounds, &of_many = many.events.rounds;
    EXPECT_LT(of_few.size(), of_many.size());
    const auto is_same = [](const RoundEvent& a, const RoundEvent& b) {
      return a.round == b.round && a.cuts == b.cuts && a.edge == b.edge && a.alpha == b.alpha &&
             a.train_loss_log10 == b.train_loss_log10 && a.cost == b.cost;
    };
    return first.size() <= all.size() && std::equal(first.begin(), first.end(), all.begin()) &&
           of_few.size() <= of_many.size() &&
           std::equal(of_few.begin(), of_few.end(), of_many.begin(), is_same);
  }

  void expect_few_after_many() {
    const std::filesystem::path rounds = world_.folder / "many.rounds";
    const std::string expected = run(training(kFew));
    run(2 * kFew, rounds, 2);
    const std::string stored = *read_file(rounds);
    for (const int num_threads : {1, 3}) EXPECT_EQ(run(kFew, rounds, num_threads), expected) << num_threads;
    EXPECT_EQ(*read_file(rounds), stored) << "the longer training stays";
    EXPECT_EQ(run(1, rounds), run(training(1)));
  }

  void expect_many_after_few() {
    const std::filesystem::path rounds = world_.folder / "few.rounds";
    const std::string expected = run(training(2 * kFew)), expected_of_few = run(training(kFew));
    run(kFew, rounds, 2);
    EXPECT_EQ(run(2 * kFew, rounds, 3), expected) << "goes on";
    EXPECT_EQ(run(2 * kFew, rounds), expected) << "has all rounds already";
    EXPECT_EQ(run(kFew, rounds), expected_of_few) << "is the beginning of what went on";
  }

  // Stopped while it goes on, it goes on from there.
  void expect_many_after_few_and_a_stop() {
    const std::filesystem::path rounds = world_.folder / "stop.rounds";
    const std::string expected = run(training(2 * kFew));
    run(kFew, rounds);
    Training stopped = training(2 * kFew), resumed = training(2 * kFew);
    stopped.checkpoint = resumed.checkpoint = world_.folder / "stop.ckpt";
    stopped.rounds_file = resumed.rounds_file = rounds;
    stopped.stop_after = kFew + 9;
    EXPECT_NE(run(stopped), expected);
    EXPECT_EQ(run(resumed), expected);
    EXPECT_EQ(run(kFew + 20, rounds), run(training(kFew + 20)));
  }

  explicit Prefix(const Dataset& table) : world_(table) {}
  Prefix(const Dataset& dataset, std::vector<testing::FakeFamily> families)
      : world_(dataset, std::move(families)) {}

  World world_;
};

class BoosterPrefix : public Prefix {
 protected:
  BoosterPrefix() : Prefix(testing::learnable_table(300, 12, 4, 3)) {}
  Training training(std::uint32_t num_rounds) const override {
    testing::SettingList settings = testing::smaller_settings(GetParam());
    settings.emplace_back("rounds", std::to_string(num_rounds));
    Training result;
    result.other_booster = testing::booster_maker(GetParam(), settings);
    result.sampler = "laminating";
    return result;
  }
  bool says_so() const { return (*find_booster(GetParam()))->keeps_prefix; }
};

// Several families, as samplers choose among them.
class SamplerPrefix : public Prefix {
 protected:
  SamplerPrefix() : Prefix(three_classes(), three_families()) {}
  Training training(std::uint32_t num_rounds) const override {
    Training result;
    result.sampler = GetParam();
    if (GetParam() == "exp3.p")
      result.sampler_settings = {{"eta", "1000"}};  // divided by the root of the number of rounds
    result.booster.num_rounds = num_rounds;
    return result;
  }
  bool says_so() const { return (*find_sampler(GetParam()))->keeps_prefix; }
};

TEST_P(BoosterPrefix, IsKeptOrSaidToBeNone) { EXPECT_EQ(begins_with_few(), says_so()); }
TEST_P(SamplerPrefix, IsKeptOrSaidToBeNone) { EXPECT_EQ(begins_with_few(), says_so()); }

TEST_P(BoosterPrefix, FewRoundsAfterManyAreThoseOfAFreshTraining) {
  if (says_so()) expect_few_after_many();
}
TEST_P(SamplerPrefix, FewRoundsAfterManyAreThoseOfAFreshTraining) {
  if (says_so()) expect_few_after_many();
}

TEST_P(BoosterPrefix, ManyRoundsAfterFewAreThoseOfAFreshTraining) {
  if (!says_so()) return;
  expect_many_after_few();
  expect_many_after_few_and_a_stop();
}
TEST_P(SamplerPrefix, ManyRoundsAfterFewAreThoseOfAFreshTraining) {
  if (!says_so()) return;
  expect_many_after_few();
  expect_many_after_few_and_a_stop();
}

INSTANTIATE_TEST_SUITE_P(All, BoosterPrefix, ::testing::ValuesIn(testing::names_of(builtin_boosters())),
                         testing::test_name);
INSTANTIATE_TEST_SUITE_P(All, SamplerPrefix, ::testing::ValuesIn(testing::names_of(builtin_samplers())),
                         testing::test_name);

// A finished training of another key, a damaged file, or none: the rounds are trained.
TEST(RoundsFile, ThatCannotBeUsedIsReplaced) {
  World world{testing::learnable_table(300, 12, 4, 3)};
  const std::filesystem::path rounds = world.folder / "run.rounds";
  const auto run = [&](std::uint32_t num_rounds, const std::filesystem::path& file,
                       testing::HeardRemarks& remarks) {
    Training one;
    one.booster.num_rounds = num_rounds;
    one.rounds_file = file;
    one.remarks = &remarks;
    const TrainingResult result = one.run(world);
    return fingerprint(result, one.events);
  };
  testing::HeardRemarks nothing, said;
  const std::string expected = run(20, {}, nothing);
  EXPECT_EQ(run(40, rounds, nothing), run(40, {}, nothing));
  std::string content = *read_file(rounds);
  content[content.size() / 2] ^= 1;
  ASSERT_TRUE(write_file_atomically(rounds, content).ok());
  EXPECT_EQ(run(20, rounds, nothing), expected) << "a bit of it is wrong";
  EXPECT_TRUE(nothing.told.empty());
  EXPECT_EQ(run(10, rounds, said), run(10, {}, nothing)) << "it is the new one's now";
  ASSERT_EQ(said.told.size(), 1u);
  EXPECT_THAT(said.told[0], ::testing::HasSubstr("its 10 rounds are the first of the 20"));
}

TEST(RoundsFile, ThatCannotBeWrittenCostsARemarkAndNothingElse) {
  World world{testing::learnable_table(300, 12, 4, 3)};
  testing::HeardRemarks remarks;
  Training one, other;
  one.rounds_file = world.folder.path() / "blocked" / "run.rounds";
  ASSERT_TRUE(write_file_atomically(world.folder.path() / "blocked", "a file, no folder").ok());
  one.remarks = &remarks;
  const TrainingResult result = one.run(world), expected = other.run(world);
  EXPECT_EQ(fingerprint(result, one.events), fingerprint(expected, other.events));
  ASSERT_EQ(remarks.warnings.size(), 1u);
  EXPECT_THAT(remarks.warnings[0], ::testing::HasSubstr("not kept"));
}

}  // namespace
}  // namespace mash
