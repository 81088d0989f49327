// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/first_answer.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "framework/operations/offers/offer.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t kTrain = 1500;

class FirstAnswers : public ::testing::Test {
 protected:
  FirstAnswers() {
    std::ofstream(folder_ / "pool.yaml") << "dataset: {name: digits, train: " << kTrain
                                         << ", test: 40, size: 16, pose: 2}\n"
                                            "heuristics: [identity, gradient, lbp]\n"
                                            "booster: {name: adaboost.mh, rounds: 60}\n";
    settings_.heuristic = "hog";
    settings_.against = (folder_ / "pool.yaml").string();
    settings_.seeds = 4;
    settings_.workspace.database = folder_ / "mash.db";
    settings_.workspace.store = folder_ / "store";
  }

  OpenedTrial open() {
    auto opened = open_trial(settings_, {}, work_, ignore_failed_checks);
    if (!opened.result.ok()) throw std::runtime_error(opened.result.error().message);
    auto pictures = pictures_of_trial(settings_, opened.result->experiment, work_);
    if (!pictures.ok()) throw std::runtime_error(pictures.error().message);
    settings_.pictures = *std::move(pictures);
    return *std::move(opened.result);
  }

  FirstAnswer answer(OpenedTrial& trial, const FirstAnswerLimits& limits) {
    auto given = answer_first(settings_, trial, work_, limits);
    if (!given.ok()) throw std::runtime_error(given.error().message);
    return *std::move(given);
  }

  const testing::ScratchFolder folder_;
  const WorkContext& work_ = testing::quiet_work();
  OfferTrySettings settings_;
};

constexpr FirstAnswerLimits kSmall{.num_train = 600, .fewest_train = 300, .seconds = 100, .long_seconds = 0};

TEST_F(FirstAnswers, AreOfAPartOfThePictures) {
  OpenedTrial trial = open();
  const FirstAnswer given = answer(trial, kSmall);
  EXPECT_EQ(given.offer.heuristic, "hog");
  EXPECT_EQ(given.offer.pictures.num_train, 600u);
  EXPECT_EQ(given.num_all_train, kTrain);
  EXPECT_THAT(given.offer.pool, ElementsAre("gradient", "identity", "lbp"));
  EXPECT_THAT(given.left_out, IsEmpty());
  ASSERT_EQ(given.offer.looks.size(), 1u);
  EXPECT_EQ(given.offer.looks[0].look.num_seeds, 8u);
}

TEST_F(FirstAnswers, LeaveTheFullTestAsItIs) {
  const auto alone = offer_heuristic(settings_, work_);
  ASSERT_TRUE(alone.result.ok()) << alone.result.error().message;
  settings_.workspace.database = folder_ / "other.db";
  settings_.workspace.store = folder_ / "other";
  OpenedTrial trial = open();
  (void)answer(trial, kSmall);
  auto setup = prepare_opened_trial(settings_, std::move(trial), work_);
  ASSERT_TRUE(setup.ok()) << setup.error().message;
  const auto beside = test_offer(*setup, settings_, false, work_);
  ASSERT_TRUE(beside.ok()) << beside.error().message;
  EXPECT_EQ(beside->offer.work.num_found, 0u) << "trainings of the part are not those of the whole";
  EXPECT_EQ(beside->offer.looks, alone.result->looks);
  EXPECT_EQ(beside->offer.history.size(), 1u) << "the first answer stands in no record";
}

TEST_F(FirstAnswers, AreTheSameOfThePartThatIsStored) {
  OpenedTrial trial = open();
  const FirstAnswer first = answer(trial, kSmall), again = answer(trial, kSmall);
  EXPECT_EQ(again.offer.looks, first.offer.looks);
  EXPECT_GT(first.offer.work.extract_seconds, 0);
  EXPECT_EQ(again.offer.work.extract_seconds, 0);
  EXPECT_EQ(again.offer.work.num_found, 8u);
}

TEST_F(FirstAnswers, LeaveOutFamiliesThatTakeLong) {
  FirstAnswerLimits limits = kSmall;
  limits.seconds = 1e-9;  // the cheapest family alone, without which there is no pool
  OpenedTrial trial = open();
  const FirstAnswer given = answer(trial, limits);
  EXPECT_EQ(given.offer.pictures.num_train, limits.fewest_train) << "the heuristic itself takes too long";
  ASSERT_EQ(given.offer.pool.size(), 1u);
  ASSERT_EQ(given.left_out.size(), 2u);
  for (const FirstAnswer::LeftOut& family : given.left_out) EXPECT_NE(family.family, given.offer.pool[0]);
}

TEST_F(FirstAnswers, ComeEarlyOnlyWhereMuchIsToBeDone) {
  OpenedTrial trial = open();
  FirstAnswerLimits limits = kSmall;
  const auto early = [&] {
    auto given = answer_early(settings_, trial, work_, limits);
    EXPECT_TRUE(given.ok()) << given.error().message;
    return given.ok() && given->has_value();
  };
  EXPECT_FALSE(early()) << "600 of 1500 pictures save too little";
  limits.num_train = 400;
  EXPECT_TRUE(early());
  limits.long_seconds = 1000;
  EXPECT_FALSE(early()) << "the full test comes soon";
  limits.long_seconds = 1e-9;
  auto setup = prepare_opened_trial(settings_, open(), work_);
  ASSERT_TRUE(setup.ok()) << setup.error().message;
  EXPECT_FALSE(early()) << "all features are stored by now";
}

}  // namespace
}  // namespace mash
