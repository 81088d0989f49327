// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/k_nn.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "framework/base/random.hpp"
#include "tests/baselines/reference_tables.hpp"
#include "tests/baselines/trained.hpp"

namespace mash {
namespace {

using testing::trained;
using testing::World;

class NeighbourReference : public ::testing::TestWithParam<int> {};

// The five nearest of rows between those of the table, by L1 and L2.
TEST_P(NeighbourReference, AreThoseOfScikitLearn) {
  const auto& table = testing::reference()["tables"][std::size_t(GetParam())];
  const World world = testing::world_of(table);
  for (const auto& expected : table["neighbours"]) {
    const double power = expected["p"];
    const TrainingResult result =
        trained(make_k_nn, world, {{"inputs", "values"}, {"k", "5"}, {"p", fmt::format("{}", power)}});
    const auto& model = *result.model.as<NeighboursModel>();
    NumberRows queries{model.inputs.size()};
    for (const auto& row : expected["queries"])
      for (const auto& number : row) queries.values.push_back(number.get<float>());
    const auto nearest = nearest_neighbours(model, queries, expected["queries"].size());
    for (std::size_t n = 0; n < nearest.size(); ++n)
      for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(nearest[n][i].example, expected["examples"][n][i].get<std::uint32_t>()) << n << " " << i;
        const double distance = expected["distances"][n][i];
        EXPECT_NEAR(std::pow(nearest[n][i].distance, 1 / power), distance, 1e-5 * distance);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, NeighbourReference, ::testing::Range(0, 3));

// By all distances, sorted.
TEST(KNearest, AreTheFirstOfAllDistances) {
  RandomStream stream(5, "k nearest");
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  constexpr std::size_t kRows = 150, kColumns = 3;
  for (std::size_t k = 0; k < kRows * kColumns; ++k) values.push_back(float(stream.below(6)));  // many ties
  for (std::size_t n = 0; n < kRows; ++n) labels.push_back(std::uint16_t(stream.below(3)));
  const World world(testing::table(values, labels, 3), 1, true);
  const TrainingResult result = trained(make_k_nn, world, {{"inputs", "values"}, {"k", "9"}});
  const auto& model = *result.model.as<NeighboursModel>();
  const auto nearest = nearest_neighbours(model, model.rows, kRows);
  for (std::size_t n = 0; n < kRows; ++n) {
    std::vector<std::pair<double, std::uint32_t>> all;
    for (std::uint32_t m = 0; m < kRows; ++m) {
      double sum = 0;
      for (std::size_t i = 0; i < kColumns; ++i)
        sum += std::pow(double(values[n * kColumns + i]) - double(values[m * kColumns + i]), 2);
      all.emplace_back(sum, m);
    }
    std::sort(all.begin(), all.end());
    ASSERT_EQ(nearest[n].size(), 9u);
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_EQ(nearest[n][i].example, all[i].second) << n << " " << i;
      EXPECT_EQ(nearest[n][i].distance, all[i].first);
    }
  }
}

TEST(KNearest, OfOneNeighbourKnowsItsTrainingExamples) {
  const World world(testing::learnable_table(300, 8, 3, 1), 1, true);
  const TrainingResult result = trained(make_k_nn, world, {{"inputs", "values"}});
  EXPECT_EQ(result.curve[0].train_error, 0);
  EXPECT_EQ(result.model.score_bound(), 1);
  EXPECT_FALSE(result.model.has_votes());
  EXPECT_FALSE(result.model.has_softmax());
}

TEST(KNearest, ExamplesThatWeighNothingAreNoNeighbours) {
  const World world(testing::table({0, 1, 5}, {0, 1, 1}, 2, {0.1f}, {0}), 1, true);
  const std::vector<std::uint32_t> left_out{0};
  const TrainingResult result = trained(make_k_nn, world, {{"inputs", "values"}}, 1, left_out);
  EXPECT_EQ(result.model.as<NeighboursModel>()->classes, (std::vector<std::uint16_t>{1, 1}));
  EXPECT_EQ(result.curve[0].test_error, 1);
}

TEST(KNearest, MissingValuesCountAsTheMean) {
  constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
  const World world(testing::table({0, kNothing, 4}, {0, 1, 0}, 2, {kNothing, 2}, {1, 1}), 1, true);
  const TrainingResult result = trained(make_k_nn, world, {{"inputs", "values"}});
  const auto& model = *result.model.as<NeighboursModel>();
  EXPECT_EQ(model.rows.values, (std::vector<float>{0, 2, 4}));
  EXPECT_EQ(model.inputs[0].missing, 2);
  EXPECT_EQ(result.curve[0].test_error, 0);
}

TEST(KNearest, OfManyExamplesJudgesSome) {
  const World world(testing::learnable_table(2500, 4, 3, 1), 2, true);
  const TrainingResult a = trained(make_k_nn, world, {{"k", "7"}}, 1),
                       b = trained(make_k_nn, world, {{"k", "7"}}, 2);
  EXPECT_EQ(a.test_scores, b.test_scores);
  EXPECT_NE(a.curve[0].train_error, b.curve[0].train_error) << "of others";
  EXPECT_NEAR(a.curve[0].train_error, b.curve[0].train_error, 0.05);
}

TEST(KNearestSettings, AreRefused) {
  for (const auto& [key, value] :
       {std::pair("k", "0"), {"k", "1.5"}, {"p", "0.5"}, {"p", "101"}, {"inputs", "pixels"}}) {
    Settings settings = testing::settings_of({{key, value}});
    EXPECT_FALSE(make_k_nn(settings).ok()) << key << " " << value;
  }
}

}  // namespace
}  // namespace mash
