// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/mistake_clusters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/support/world.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using testing::World;

// Three families that each know something of three classes.
World noisy_world() {
  const auto train = testing::random_labels(300, 3, 1), test = testing::random_labels(200, 3, 2);
  const auto value = [train, test](std::uint32_t n, std::uint32_t j, std::uint64_t family) {
    const double label = n < train.size() ? train[n] : test[n - train.size()];
    return float(label + 2 * RandomStream(family, "test.noise", n * 16 + j).normal());
  };
  const auto family = [&](std::uint64_t k) {
    return [value, k](std::uint32_t n, std::uint32_t j) { return value(n, j, k); };
  };
  return World(testing::numbered_images(train, test, 3),
               {{"a", 4, family(1)}, {"b", 2, family(2)}, {"c", 1, family(3)}});
}

// Stumps of random features that vote for the classes above their threshold, products of two, and a tree.
StrongClassifier some_model(const World& world) {
  const FeatureSet& features = world.features();
  RandomStream stream(5, "test.model");
  const auto cut = [&]() -> Cut {
    const auto feature = std::uint32_t(stream.below(features.num_features()));
    const auto code = std::uint32_t(1 + stream.below(features.num_cuts(feature)));
    return {features.family_of(feature), features.index_in_family(feature),
            features.threshold(feature, code)};
  };
  StrongClassifier model;
  model.class_names = world.dataset.class_names;
  for (const FamilyInfo& info : features.families())
    model.families.push_back({info.spec.name, info.spec.heuristic.id, "1.0.0", {}, info.dim});
  for (int t = 0; t < 20; ++t) model.hypotheses.push_back({stream.uniform(), {cut()}, {-1, 1, 1}, {}});
  for (int t = 0; t < 5; ++t) model.hypotheses.push_back({stream.uniform(), {cut(), cut()}, {1, -1, 1}, {}});
  model.hypotheses.push_back({0.5, {cut(), cut()}, {1, -1, -1, -1, 1, -1, -1, -1, 1}, {{-1, 1}, {-2, -3}}});
  return model;
}

// The model's scores of a test example, cut by cut from the values.
std::vector<double> scores_of(const StrongClassifier& model, const CutAnswers& answers, std::size_t n) {
  std::vector<double> scores(model.num_classes());
  for (std::size_t t = 0; t < model.hypotheses.size(); ++t) {
    const Hypothesis& hypothesis = model.hypotheses[t];
    const auto votes = cell_votes(hypothesis);
    const std::size_t cell = cell_of(hypothesis, [&](std::size_t i) { return answers.holds(t, i, n); });
    for (std::size_t l = 0; l < scores.size(); ++l)
      scores[l] += hypothesis.alpha * votes[cell * scores.size() + l];
  }
  return scores;
}

TEST(MistakesOf, AreAllMistakesWithTheirMargins) {
  const World world = noisy_world();
  const StrongClassifier model = some_model(world);
  const auto answers = CutAnswers::make(model, world.features());
  const auto& labels = world.dataset.test.labels;
  const auto mistakes = mistakes_of(model, *answers, labels, world.workers);
  std::vector<bool> found(labels.size());
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    const Mistake& mistake = mistakes[i];
    found[mistake.example_idx] = true;
    const auto scores = scores_of(model, *answers, mistake.example_idx);
    EXPECT_EQ(mistake.label, labels[mistake.example_idx]);
    EXPECT_EQ(mistake.predicted, predicted_class(scores));
    EXPECT_NEAR(mistake.margin, margin(scores, mistake.label, score_bound(model)), 1e-12);
    EXPECT_LE(mistake.margin, 0);
    ASSERT_EQ(mistake.shares.size(), 3u);
    EXPECT_NEAR(std::accumulate(mistake.shares.begin(), mistake.shares.end(), 0.0), mistake.margin, 1e-9);
    if (i > 0) {
      EXPECT_LE(mistakes[i - 1].margin, mistake.margin);
    }
  }
  EXPECT_GT(mistakes.size(), 20u);
  for (std::size_t n = 0; n < labels.size(); ++n)
    EXPECT_EQ(found[n], predicted_class(scores_of(model, *answers, n)) != labels[n]) << n;
}

TEST(ExampleShares, HaveMarginSharesForMeans) {
  const World world = noisy_world();
  const StrongClassifier model = some_model(world);
  const auto answers = CutAnswers::make(model, world.features());
  const auto& labels = world.dataset.test.labels;
  const auto examples = example_shares(model, *answers, labels, world.workers);
  const MarginShares shares = margin_shares(model, *answers, labels, world.workers);
  std::vector<double> families(3);
  double mean_margin = 0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    mean_margin += examples[n].margin / double(labels.size());
    for (std::size_t k = 0; k < 3; ++k) families[k] += examples[n].families[k] / double(labels.size());
  }
  EXPECT_NEAR(shares.mean_margin, mean_margin, 1e-12);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(shares.families[k], families[k], 1e-12);
}

TEST(MistakesOf, AModelThatSaysNothingSaysTheFirstClass) {
  const World world(testing::numbered_images({0, 1}, {0, 1, 0, 1}, 2),
                    {{"bit", 1, [](std::uint32_t n, std::uint32_t) { return float(n % 2); }}});
  StrongClassifier model;
  model.class_names = world.dataset.class_names;
  model.families.push_back({"bit", "bit", "1.0.0", {}, 1});
  auto answers = CutAnswers::make(model, world.features());
  const auto mistakes = mistakes_of(model, *answers, world.dataset.test.labels, world.workers);
  ASSERT_EQ(mistakes.size(), 2u);  // of equal margins by place
  EXPECT_EQ(mistakes[0].example_idx, 1u);
  EXPECT_EQ(mistakes[1].example_idx, 3u);
  EXPECT_EQ(mistakes[0].margin, 0);
  EXPECT_THAT(mistakes[0].shares, ElementsAre(0));

  model.hypotheses.push_back({1.0, {{0, 0, world.features().threshold(0, 1)}}, {-1, 1}, {}});
  answers = CutAnswers::make(model, world.features());
  EXPECT_TRUE(mistakes_of(model, *answers, world.dataset.test.labels, world.workers).empty());
}

Mistake mistake(std::vector<double> shares, std::size_t label = 0, std::size_t predicted = 1) {
  return {0, label, predicted, std::accumulate(shares.begin(), shares.end(), 0.0), std::move(shares)};
}

std::vector<Mistake> random_mistakes(std::size_t count, std::size_t num_families, std::uint64_t seed) {
  RandomStream stream(seed, "test.mistakes");
  std::vector<Mistake> mistakes;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> shares(num_families);
    for (double& share : shares) share = stream.normal();
    mistakes.push_back(mistake(shares, stream.below(3), 3 + stream.below(3)));
  }
  return mistakes;
}

double distance(const Mistake& a, const Mistake& b) {
  const auto length = [](const Mistake& m) {
    const double squared = std::inner_product(m.shares.begin(), m.shares.end(), m.shares.begin(), 0.0);
    return squared > 0 ? std::sqrt(squared) : 1;
  };
  double sum = 0;
  for (std::size_t k = 0; k < a.shares.size(); ++k)
    sum += std::pow(a.shares[k] / length(a) - b.shares[k] / length(b), 2);
  return std::sqrt(sum);
}

double distance_sum(std::span<const Mistake> mistakes, std::size_t from, const std::vector<std::size_t>& to) {
  double sum = 0;
  for (const std::size_t i : to) sum += distance(mistakes[from], mistakes[i]);
  return sum;
}

TEST(MistakeClusters, ArePartsWhoseMedoidsAreNearest) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto mistakes = random_mistakes(20 * seed, 1 + seed % 5, seed);
    const auto clusters = mistake_clusters(mistakes, seed);
    ASSERT_LE(clusters.size(), seed);
    std::vector<std::size_t> owner(mistakes.size(), clusters.size());
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      const MistakeCluster& cluster = clusters[c];
      if (c > 0) {
        EXPECT_GE(clusters[c - 1].mistakes.size(), cluster.mistakes.size());
      }
      ASSERT_FALSE(cluster.mistakes.empty());
      EXPECT_EQ(cluster.mistakes[0], cluster.medoid);
      const double own_sum = distance_sum(mistakes, cluster.medoid, cluster.mistakes);
      std::vector<double> shares(mistakes[0].shares.size());
      double last = 0;
      for (const std::size_t i : cluster.mistakes) {
        EXPECT_EQ(owner[i], clusters.size()) << "twice";
        owner[i] = c;
        EXPECT_LE(own_sum, distance_sum(mistakes, i, cluster.mistakes) + 1e-9);
        const double to_medoid = distance(mistakes[i], mistakes[cluster.medoid]);
        EXPECT_GE(to_medoid, last - 1e-9);
        last = to_medoid;
        for (const MistakeCluster& other : clusters)
          EXPECT_LE(to_medoid, distance(mistakes[i], mistakes[other.medoid]) + 1e-9);
        for (std::size_t k = 0; k < shares.size(); ++k)
          shares[k] += mistakes[i].shares[k] / double(cluster.mistakes.size());
      }
      for (std::size_t k = 0; k < shares.size(); ++k) EXPECT_NEAR(cluster.shares[k], shares[k], 1e-12);
    }
    EXPECT_EQ(std::count(owner.begin(), owner.end(), clusters.size()), 0) << "left out";
  }
}

TEST(MistakeClusters, OneClusterHasTheMedoidOfAll) {
  const auto mistakes = random_mistakes(50, 3, 7);
  const auto clusters = mistake_clusters(mistakes, 1);
  ASSERT_EQ(clusters.size(), 1u);
  std::vector<std::size_t> all(mistakes.size());
  std::iota(all.begin(), all.end(), std::size_t(0));
  std::vector<double> sums;
  for (const std::size_t i : all) sums.push_back(distance_sum(mistakes, i, all));
  EXPECT_EQ(clusters[0].medoid, std::size_t(std::min_element(sums.begin(), sums.end()) - sums.begin()));
}

TEST(MistakeClusters, FindWhoIsToBlameHoweverMuch) {
  // Six mistakes by the first family, four by the second, three by both, of quite different sizes.
  std::vector<Mistake> mistakes;
  RandomStream stream(1, "test.blame");
  for (std::size_t i = 0; i < 13; ++i) {
    const double a = i < 6 || i >= 10 ? -1 : 0.05, b = i < 6 ? 0.05 : -1, size = stream.uniform(0.01, 1);
    mistakes.push_back(mistake({size * (a + 0.02 * stream.normal()), size * (b + 0.02 * stream.normal())}));
  }
  const auto clusters = mistake_clusters(mistakes, 3);
  ASSERT_EQ(clusters.size(), 3u);
  const auto sorted = [&](std::size_t c) {
    auto places = clusters[c].mistakes;
    std::sort(places.begin(), places.end());
    return places;
  };
  EXPECT_THAT(sorted(0), ElementsAre(0u, 1u, 2u, 3u, 4u, 5u));
  EXPECT_THAT(sorted(1), ElementsAre(6u, 7u, 8u, 9u));
  EXPECT_THAT(sorted(2), ElementsAre(10u, 11u, 12u));
  EXPECT_LT(clusters[0].shares[0], 0);
  EXPECT_LT(clusters[1].shares[1], 0);
}

TEST(MistakeClusters, NameTheMostFrequentPair) {
  const std::vector<Mistake> mistakes{mistake({-1.0}, 2, 0), mistake({-0.5}, 1, 2), mistake({-2.0}, 2, 0),
                                      mistake({-1.0}, 1, 2), mistake({-1.0}, 0, 2)};
  const auto clusters = mistake_clusters(mistakes, 4);  // one direction, so one cluster
  ASSERT_EQ(clusters.size(), 1u);
  EXPECT_EQ(clusters[0].label, 1u);  // of equals the lowest
  EXPECT_EQ(clusters[0].predicted, 2u);
  EXPECT_EQ(clusters[0].num_pair, 2u);
  EXPECT_THAT(clusters[0].mistakes, ElementsAre(0u, 1u, 2u, 3u, 4u));
  EXPECT_NEAR(clusters[0].shares[0], -1.1, 1e-12);
}

TEST(MistakeClusters, MistakesThatNobodyMadeAreAClusterToo) {
  const std::vector<Mistake> mistakes{mistake({0, 0}), mistake({-1, 0}), mistake({0, 0}), mistake({-3, 0})};
  const auto clusters = mistake_clusters(mistakes, 5);
  ASSERT_EQ(clusters.size(), 2u);  // four places, two directions
  EXPECT_THAT(clusters[0].mistakes, ElementsAre(0u, 2u));
  EXPECT_THAT(clusters[1].mistakes, ElementsAre(1u, 3u));
}

TEST(MistakeClusters, NoneWithoutMistakesOrWishes) {
  EXPECT_TRUE(mistake_clusters({}, 3).empty());
  EXPECT_TRUE(mistake_clusters(random_mistakes(4, 2, 1), 0).empty());
  const auto alone = mistake_clusters(random_mistakes(1, 2, 1), 3);
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_THAT(alone[0].mistakes, ElementsAre(0u));
  EXPECT_EQ(alone[0].num_pair, 1u);
}

}  // namespace
}  // namespace mash
