// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/loop/round_log.hpp"

#include <gtest/gtest.h>

namespace mash {
namespace {

// The costs after a round: those of one family rise by far more than a byte holds, those of the other now and
// then.
Meters meters_after(std::uint64_t round) {
  Meters meters;
  meters.ops = round * 1'000'000'007;
  meters.ue = round / 3;
  meters.once = 5;
  meters.phases.scan = 0.1 * double(round);
  meters.phases.update = 1 / double(round);
  return meters;
}
std::vector<FamilyLooks> looks_after(std::uint64_t round) {
  return {{round << 40, round * round}, {round / 2, 127 + round % 2}};
}

RoundLog log_of(std::uint32_t num_rounds) {
  RoundLog log(2);
  for (std::uint32_t round = 1; round <= num_rounds; ++round)
    log.add(round, {-0.5 * round, round % 2 ? std::optional(0.25) : std::nullopt}, meters_after(round),
            looks_after(round));
  return log;
}

void expect_round(const RoundLog& log, std::uint32_t round) {
  const RoundCosts costs = log.costs(round);
  const Meters meters = meters_after(round);
  EXPECT_EQ(costs.ops, meters.ops);
  EXPECT_EQ(costs.ue, meters.ue);
  EXPECT_EQ(costs.once, meters.once);
  EXPECT_EQ(costs.phases.scan, meters.phases.scan);
  EXPECT_EQ(costs.phases.update, meters.phases.update);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(costs.looks[k].offered, looks_after(round)[k].offered);
    EXPECT_EQ(costs.looks[k].evaluated, looks_after(round)[k].evaluated);
  }
  EXPECT_EQ(log.change(round).loss_change_log10, -0.5 * round);
  EXPECT_EQ(log.change(round).train_error, round % 2 ? std::optional(0.25) : std::nullopt);
}

TEST(RoundLog, HasTheSumsAfterEveryRound) {
  const RoundLog log = log_of(300);
  ASSERT_EQ(log.size(), 300u);
  for (const std::uint32_t round : {1u, 2u, 127u, 128u, 129u, 300u}) expect_round(log, round);
}

TEST(RoundLog, GoesOnAfterItWasStored) {
  const RoundLog whole = log_of(20);
  RoundLog log = log_of(9);
  log = RoundLog(2, {log.numbers().begin(), log.numbers().end()}, {log.counts().begin(), log.counts().end()});
  for (std::uint32_t round = 10; round <= 20; ++round)
    log.add(round, whole.change(round), meters_after(round), looks_after(round));
  EXPECT_TRUE(std::ranges::equal(log.counts(), whole.counts()));
  for (std::uint32_t round = 1; round <= 20; ++round) expect_round(log, round);
}

TEST(RoundLog, HasNoGaps) {
  RoundLog log = log_of(3);
  log.add(5, {}, meters_after(5), looks_after(5));
  EXPECT_EQ(log.size(), 3u);
}

TEST(RoundLog, EndsWhereItWouldGrowTooLarge) {
  RoundLog log(100'000);
  std::vector<FamilyLooks> looks(100'000);
  std::uint32_t round = 0;
  while (log.size() == round) {
    ++round;
    for (FamilyLooks& look : looks) look = {round * 1000u, round * 1'000'000u};
    log.add(round, {}, {}, looks);
  }
  EXPECT_LT(log.counts().size() + log.numbers().size_bytes(), RoundLog::kMostBytes + 1'000'000);
  EXPECT_GT(log.size(), 20u);
  EXPECT_EQ(log.costs(std::uint32_t(log.size())).looks[7].offered, log.size() * 1000);
}

}  // namespace
}  // namespace mash
