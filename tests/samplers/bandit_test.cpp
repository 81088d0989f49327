// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/bandit.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/samplers/sampler_world.hpp"

namespace mash {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;
using testing::SamplerWorld;

using Edges = std::vector<std::vector<double>>;
using SettingList = std::vector<std::pair<std::string, std::string>>;
using MakeBandit = Result<SamplerFactory> (*)(Settings&);

constexpr std::uint64_t kExamples = 20;
constexpr std::uint64_t kClasses = 2;

// The rewards -ln sqrt(1 - edge^2) of the edges .2, .3, ...
constexpr double kRewardOf2 = .020410997260, kRewardOf3 = .047155339735, kRewardOf4 = .087176693572,
                 kRewardOf5 = .143841036226, kRewardOf8 = .510825623766;

std::unique_ptr<Sampler> made(MakeBandit make, const SettingList& list) {
  Settings settings;
  for (const auto& [key, value] : list) settings.add(key, value, "test");
  const auto sampler = make(settings);
  if (!sampler.ok()) throw std::runtime_error(sampler.error().message);
  if (const Status known = settings.finish("sampler"); !known.ok())
    throw std::runtime_error(known.error().message);
  return (*sampler)();
}

// A bandit in the rounds of a training whose weights stay equal, so that each reward is known beforehand.
class BanditRun {
 public:
  BanditRun(const Edges& edges, MakeBandit make, const SettingList& settings, std::uint32_t num_rounds = 100)
      : BanditRun(testing::families_with_edges(edges, kExamples), kExamples, make, settings, num_rounds) {}
  BanditRun(std::vector<testing::FakeFamily> families, std::size_t num_examples, MakeBandit make,
            const SettingList& settings, std::uint32_t num_rounds)
      : world(std::move(families), testing::alternating_labels(num_examples), ScanMode::kF64),
        sampler(made(make, settings)) {
    if (!sampler->start(world.scan, {1, num_rounds}).ok()) throw std::runtime_error("start");
  }

  std::uint32_t propose() { return world.propose(*sampler, ++round_); }

  // The families whose features were candidates since the last call.
  std::vector<std::uint32_t> pulled() {
    std::vector<std::uint32_t> families;
    const auto counts = world.offered();
    for (std::uint32_t k = 0; k < counts.size(); ++k)
      if (counts[k] > 0) families.push_back(k);
    return families;
  }

  // The families that the next rounds pull, one a round, as letters.
  std::string next_families(int num_rounds) {
    std::string letters;
    for (int round = 0; round < num_rounds; ++round) {
      propose();
      for (const std::uint32_t family : pulled()) letters += char('A' + family);
    }
    return letters;
  }

  std::uint64_t cost() { return world.scan.ledger().meters().fe; }

  SamplerWorld world;
  std::unique_ptr<Sampler> sampler;

 private:
  std::uint32_t round_ = 0;
};

void expect_state(const Sampler& sampler, const ArmPolicy& expected) {
  EXPECT_THAT(sampler.state(), Pointwise(DoubleNear(1e-9), expected.state()));
}

// Three families whose best features have the edges .2, .5 and .4.
const Edges kThree{{.2}, {.1, .5}, {.4, .3}};

std::string sorted(std::string letters) {
  std::sort(letters.begin(), letters.end());
  return letters;
}

// With the rewards 5 * .0204 = .102, .719 and .436. After a pull of each, the indices are
//   n = 3: 1.584 2.202 1.918: B       n = 4: 1.767 1.897 2.101: C       n = 5: 1.896 1.988 1.705: B
//   n = 6: 1.995 1.812 1.774: A       n = 7: 1.497 1.858 1.831: B       n = 8: 1.544 1.739 1.878: C
//   n = 9: 1.584 1.767 1.646: B       n = 10: 1.619 1.679 1.675: B      n = 11: 1.651 1.613 1.700: C
//   n = 12: 1.678 1.629 1.551: A
TEST(Bandit, UcbPullsTheArmOfTheLargestIndex) {
  BanditRun run(kThree, make_ucb, {{"scale", "5"}});
  EXPECT_EQ(sorted(run.next_families(3)), "ABC") << "each once";
  EXPECT_EQ(run.next_families(10), "BCBABCBBCA");
  const auto expected = make_ucb_policy(3);
  for (const char arm : std::string("AAABBBBBBCCCC"))
    expected->reward(std::uint32_t(arm - 'A'),
                     5 * std::vector{kRewardOf2, kRewardOf5, kRewardOf4}[std::size_t(arm - 'A')]);
  expect_state(*run.sampler, *expected);
  EXPECT_EQ(run.cost(), (3 * 1 + 6 * 2 + 4 * 2) * kExamples) << "a pull looks at all features of its family";
  EXPECT_EQ(run.world.scan.ledger().meters().ops, run.cost() * kClasses);
  EXPECT_EQ(run.world.scan.ledger().meters().once, 0u);
}

// With the same rewards, all equal for an arm, so that their variance is 0:
//   n = 3: 1.201 1.818 1.534: B       n = 4: 1.488 1.412 1.822: C       n = 5: 1.711 1.524 1.241: A
//   n = 6: 0.998 1.615 1.332: B       n = 7: 1.075 1.368 1.409: C       n = 8: 1.142 1.412 1.129: B
//   n = 9: 1.201 1.269 1.168: B       n = 10: 1.253 1.180 1.203: A
TEST(Bandit, UcbvPullsTheArmOfTheLargestIndex) {
  BanditRun run(kThree, make_ucbv, {{"scale", "5"}});
  EXPECT_EQ(sorted(run.next_families(3)), "ABC") << "each once";
  EXPECT_EQ(run.next_families(8), "BCABCBBA");
}

// Unscaled, such rewards are too small to matter: all arms take turns.
TEST(Bandit, RewardsAreNotScaledUnlessAskedTo) {
  BanditRun run(kThree, make_ucb, {});
  run.next_families(3);
  EXPECT_EQ(run.next_families(9), "BCABCABCA");
}

TEST(Bandit, ProposesTheBestFeatureOfTheArm) {
  const std::vector<std::uint32_t> best{0, 2, 3};
  BanditRun run(kThree, make_ucb, {});
  for (int round = 1; round <= 12; ++round) {
    const std::uint32_t feature = run.propose();
    const auto family = run.pulled();
    ASSERT_EQ(family.size(), 1u);
    EXPECT_EQ(feature, best[family[0]]);
  }
}

TEST(Bandit, EveryPullOfARoundRewardsItsOwnArm) {
  BanditRun run({{.2}, {.5}, {.4}, {.8}}, make_ucb, {{"pulls", "2"}});
  const std::vector<double> rewards{kRewardOf2, kRewardOf5, kRewardOf4, kRewardOf8};
  const auto expected = make_ucb_policy(4);
  std::set<std::uint32_t> first_two_rounds;
  for (std::uint64_t round = 1; round <= 8; ++round) {
    const std::uint32_t feature = run.propose();
    const auto arms = run.pulled();
    ASSERT_EQ(arms.size(), 2u);
    if (round <= 2) first_two_rounds.insert(arms.begin(), arms.end());
    if (round == 3) {
      EXPECT_THAT(arms, ElementsAre(1, 3)) << "the two with the largest rewards";
    }
    for (const std::uint32_t arm : arms) expected->reward(arm, rewards[arm]);
    expect_state(*run.sampler, *expected);
    EXPECT_EQ(feature, rewards[arms[0]] > rewards[arms[1]] ? arms[0] : arms[1]) << "the better one's feature";
    EXPECT_EQ(run.cost(), round * 2 * kExamples);
  }
  EXPECT_EQ(first_two_rounds.size(), 4u) << "untried arms come first";
}

TEST(Bandit, MorePullsThanArmsPullAll) {
  BanditRun run(kThree, make_ucbv, {{"pulls", "7"}});
  EXPECT_EQ(run.propose(), 2u);
  EXPECT_THAT(run.pulled(), ElementsAre(0, 1, 2));
  EXPECT_EQ(run.cost(), 5 * kExamples);
}

TEST(Bandit, AFeatureCanBeAnArm) {
  BanditRun run(kThree, make_epsilon_greedy, {{"arms", "feature"}, {"ratio", "0"}});
  std::set<std::uint32_t> features;
  for (std::uint64_t round = 1; round <= 5; ++round) {
    features.insert(run.propose());
    EXPECT_EQ(run.cost(), round * kExamples) << "a pull looks at one feature";
  }
  EXPECT_EQ(features.size(), 5u) << "each once";
  for (int round = 6; round <= 20; ++round) EXPECT_EQ(run.propose(), 2u) << "then the best";
  const auto expected = make_epsilon_greedy_policy(5, 0);
  const std::vector<double> rewards{kRewardOf2, .5 * -std::log(.99), kRewardOf5, kRewardOf4, kRewardOf3};
  for (std::uint32_t arm = 0; arm < 5; ++arm) expected->reward(arm, rewards[arm]);
  for (int round = 6; round <= 20; ++round) expected->reward(2, kRewardOf5);
  expect_state(*run.sampler, *expected);
}

TEST(Bandit, PullsAllFeaturesBeforeTheFirstRound) {
  for (const MakeBandit make : {make_ucb, make_ucbv}) {
    BanditRun run(kThree, make, {{"arms", "feature"}});
    const auto expected = make_ucb_policy(5);
    const std::vector<double> rewards{kRewardOf2, .5 * -std::log(.99), kRewardOf5, kRewardOf4, kRewardOf3};
    for (std::uint32_t arm = 0; arm < 5; ++arm) expected->reward(arm, rewards[arm]);
    expect_state(*run.sampler, *expected);
    const Meters& meters = run.world.scan.ledger().meters();
    EXPECT_EQ(meters.once, 5 * kExamples);
    EXPECT_EQ(meters.fe, 0u) << "no part of the cost of the rounds";
    EXPECT_EQ(meters.ops, 5 * kExamples * kClasses);
    EXPECT_THAT(run.world.offered(), ElementsAre(0, 0, 0)) << "nor candidates of one";
    EXPECT_EQ(run.propose(), 2u) << "the arm that gave most";
    EXPECT_EQ(run.cost(), kExamples);
  }
}

TEST(Bandit, PullsAllArmsBeforeTheFirstRoundIfAskedTo) {
  BanditRun run(kThree, make_epsilon_greedy, {{"pull_all_first", "true"}, {"features", "1"}, {"ratio", "0"}});
  EXPECT_EQ(run.world.scan.ledger().meters().once, 3 * kExamples) << "one feature of each family";
  EXPECT_EQ(run.cost(), 0u);
  const SettingList all_features{{"pull_all_first", "true"}};
  EXPECT_EQ(BanditRun(kThree, make_ucbv, all_features).world.scan.ledger().meters().once, 5 * kExamples);
  for (const SettingList& list : {SettingList{}, SettingList{{"arms", "feature"}}})
    EXPECT_EQ(BanditRun(kThree, make_epsilon_greedy, list).world.scan.ledger().meters().once, 0u);
  EXPECT_EQ(BanditRun(kThree, make_ucb, {}).world.scan.ledger().meters().once, 0u);
  EXPECT_EQ(BanditRun(kThree, make_ucb, {{"arms", "feature"}, {"pull_all_first", "false"}})
                .world.scan.ledger()
                .meters()
                .once,
            0u);
}

TEST(Bandit, LooksAtQFeaturesOfALargeFamily) {
  BanditRun run(testing::hashed_families({30, 40}), 200, make_ucb, {{"features", "7"}}, 100);
  const auto expected = make_ucb_policy(2);
  std::set<std::uint32_t> chosen;
  for (std::uint64_t round = 1; round <= 30; ++round) {
    const std::uint32_t feature = run.propose();
    const auto offered = run.world.offered();
    const std::uint32_t family = feature < 30 ? 0 : 1;
    EXPECT_EQ(offered[family], 7u);
    EXPECT_EQ(offered[1 - family], 0u);
    EXPECT_EQ(run.cost(), round * 7 * 200);
    expected->reward(family, bandit_reward(run.world.scan.refit(feature).edge, 1));
    expect_state(*run.sampler, *expected);
    chosen.insert(feature);
  }
  EXPECT_GT(chosen.size(), 6u) << "others every round";
}

// A node that half of the weight reaches, where the features have the edges .8 and .6.
TEST(Bandit, InANodeOfATreeTheRewardIsOfTheShareOfTheEdge) {
  BanditRun run({{.9, .9}, {.8}}, make_ucb, {{"pulls", "2"}});
  std::vector<std::uint32_t> node(10);
  for (std::uint32_t n = 0; n < 10; ++n) node[n] = n;
  EXPECT_LE(run.world.propose_in_node(*run.sampler, 1, node), 1u) << "one of the two of .8";
  const auto expected = make_ucb_policy(2);
  expected->reward(0, kRewardOf4);
  expected->reward(1, kRewardOf3);
  expect_state(*run.sampler, *expected);
  EXPECT_EQ(run.cost(), 3u * 10) << "on the examples of the node alone";
}

TEST(Bandit, RewardsOfAnArmAreAveragedWhileTheWeightsChange) {
  BanditRun run({{.5}}, make_ucbv, {});
  run.propose();
  for (std::size_t n = 0; n < 5; ++n)  // those that the feature has wrong, so that its edge is .8
    for (double& g : run.world.weights.row(n)) g /= 3;
  run.world.weights.normalise(run.world.world.workers);
  run.propose();
  const auto expected = make_ucbv_policy(1);
  expected->reward(0, kRewardOf5);
  expected->reward(0, kRewardOf8);
  expect_state(*run.sampler, *expected);
}

// The worked example of Exp3.P: rewards of .05 and, at the most, 1.
TEST(Bandit, Exp3PMovesByTheRewardOfItsArm) {
  for (const auto& [scale, step] : {std::pair{"0.3476059496782207", .003366}, std::pair{"1000", .050866}}) {
    BanditRun run({{.5}, {.5}, {.5}}, make_exp3p, {{"scale", scale}});
    EXPECT_THAT(run.sampler->state(), Pointwise(DoubleNear(1e-7), {.0866025, .0866025, .0866025}));
    run.propose();
    const auto arms = run.pulled();
    ASSERT_EQ(arms.size(), 1u);
    std::vector<double> expected(3, .0866025 + .000866);
    expected[arms[0]] = .0866025 + step;
    EXPECT_THAT(run.sampler->state(), Pointwise(DoubleNear(1e-6), expected));
    EXPECT_EQ(run.cost(), kExamples);
  }
}

TEST(Bandit, Exp3PTakesItsParametersAndTheNumberOfRounds) {
  // eta lambda / 3 sqrt(T / M)
  const auto start = [](std::size_t num_arms, const SettingList& settings, std::uint32_t num_rounds) {
    return BanditRun(Edges(num_arms, {.5}), make_exp3p, settings, num_rounds).sampler->state();
  };
  EXPECT_THAT(start(3, {}, 400), Pointwise(DoubleNear(1e-6), std::vector<double>(3, .1732051)));
  EXPECT_THAT(start(3, {{"eta", "0.6"}, {"lambda", "0.3"}}, 100),
              Pointwise(DoubleNear(1e-6), std::vector<double>(3, .3464102)));
  EXPECT_THAT(start(19, {{"delta", "0.05"}}, 10000),
              Pointwise(DoubleNear(1e-3), std::vector<double>(19, 6.8981)));
  for (const char* key : {"eta", "lambda"}) {
    Settings settings;
    settings.add("delta", "0.05", "test.yaml:3");
    settings.add(key, "0.3", "test.yaml:4");
    const auto refused = make_exp3p(settings);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, ErrorKind::kInput);
    EXPECT_THAT(refused.error().message, ::testing::HasSubstr("test.yaml:3: delta"));
  }
}

TEST(Bandit, Exp3PPullsByItsProbabilities) {
  BanditRun run({{.5}, {.5}}, make_exp3p, {{"lambda", "0.2"}});
  int num_second = 0;
  for (int round = 1; round <= 1000; ++round) {
    run.sampler->restore(std::vector{0., std::log(3.)});  // 0.8 * 3 / 4 + 0.2 / 2 for the second arm
    num_second += run.propose() == 1;
  }
  EXPECT_NEAR(num_second, 700, 3.3 * std::sqrt(1000 * .7 * .3));
}

TEST(Bandit, EpsilonGreedyExploresLessAndLess) {
  BanditRun run(kThree, make_epsilon_greedy, {{"ratio", "1"}});
  run.next_families(3);  // of which any may be any arm
  // Round n pulls any arm with probability 3 / n, and in two cases of three that is not the best: 8.9 rounds.
  const std::string rest = run.next_families(297);
  const auto num_others = std::ptrdiff_t(rest.size()) - std::count(rest.begin(), rest.end(), 'B');
  EXPECT_GE(num_others, 2);
  EXPECT_LE(num_others, 20);
}

TEST(Bandit, EpsilonGreedyOfALargeRatioPullsAllArmsAlike) {
  BanditRun run(kThree, make_epsilon_greedy, {{"ratio", "1e6"}});
  const std::string arms = run.next_families(900);
  std::vector<std::uint64_t> counts;
  for (const char arm : std::string("ABC"))
    counts.push_back(std::uint64_t(std::count(arms.begin(), arms.end(), arm)));
  EXPECT_LT(testing::chi_squared(counts, {300, 300, 300}), 13.8) << "1 in 1000";
}

TEST(Bandit, GoesOnTheSameFromItsState) {
  for (const MakeBandit make : {make_ucb, make_ucbv, make_exp3p, make_epsilon_greedy}) {
    BanditRun whole(kThree, make, {}), first(kThree, make, {}), second(kThree, make, {});
    const std::string all = whole.next_families(40);
    first.next_families(15);
    second.next_families(15);
    second.sampler->restore(first.sampler->state());
    EXPECT_EQ(second.next_families(25), all.substr(15));
  }
}

}  // namespace
}  // namespace mash
