// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/naive_bayes.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/baselines/reference_tables.hpp"
#include "tests/baselines/trained.hpp"

namespace mash {
namespace {

using testing::trained;
using testing::World;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
const testing::SettingList kOfValues{{"inputs", "values"}};

GaussianModel fitted(const World& world, const testing::SettingList& list = kOfValues,
                     std::span<const double> weights = {}, std::span<const std::uint32_t> left_out = {}) {
  return *trained(make_naive_bayes, world, list, 1, left_out, weights).model.as<GaussianModel>();
}

class BayesReference : public ::testing::TestWithParam<int> {};

TEST_P(BayesReference, LogDensitiesAreThoseOfScikitLearn) {
  const auto& table = testing::reference()["tables"][std::size_t(GetParam())];
  const World world = testing::world_of(table);
  const std::vector<double> given = table["weights"];
  for (const auto& [key, weights] : {std::pair<const char*, std::vector<double>>("naive_bayes", {}),
                                     std::pair("naive_bayes_weighted", given)}) {
    const GaussianModel model =
        fitted(world, {{"inputs", "values"}, {"smallest_variance", "1e-15"}}, weights);
    const NumberScores scores_of = number_scores(model);
    for (std::size_t n = 0; n < table[key].size(); ++n) {
      const std::vector<float> row = table["values"][n];
      const std::vector<double> expected = table[key][n];
      std::vector<double> scores(expected.size());
      scores_of(row, scores);
      for (std::size_t l = 0; l < scores.size(); ++l)
        EXPECT_NEAR(scores[l], expected[l], 1e-9 * std::max(1.0, std::abs(expected[l]))) << key << " " << n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, BayesReference, ::testing::Range(0, 3));

// The worked example: classes {1, 2, 3} and {4, 6, 8}.
TEST(NaiveBayes, OfSixNumbersByHand) {
  const World world(testing::table({1, 2, 3, 4, 6, 8}, {0, 0, 0, 1, 1, 1}, 2), 1, true);
  const GaussianModel model = fitted(world);
  EXPECT_EQ(model.priors, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(model.means, (std::vector<double>{2, 6}));
  EXPECT_DOUBLE_EQ(model.variances[0], 2.0 / 3);
  EXPECT_DOUBLE_EQ(model.variances[1], 8.0 / 3);
}

TEST(NaiveBayes, AWeightIsTheNumberOfExamples) {
  const World weighted(testing::table({0, 1, 4, 9}, {0, 0, 1, 1}, 2), 1, true);
  const World repeated(testing::table({0, 0, 0, 1, 4, 9, 9}, {0, 0, 0, 0, 1, 1, 1}, 2), 1, true);
  const GaussianModel a = fitted(weighted, kOfValues, std::vector<double>{3, 1, 1, 2}), b = fitted(repeated);
  EXPECT_EQ(a.priors, b.priors);
  for (std::size_t k = 0; k < a.means.size(); ++k) {
    EXPECT_DOUBLE_EQ(a.means[k], b.means[k]);
    EXPECT_DOUBLE_EQ(a.variances[k], b.variances[k]);
  }
}

// A column that is constant in a class gets a billionth of the largest variance of a column.
TEST(NaiveBayes, VariancesHaveAFloor) {
  const World world(testing::table({5, 0, 5, 10, 5, 0, 6, 10}, {0, 0, 0, 1}, 2), 1, true);
  const GaussianModel model = fitted(world);
  ASSERT_EQ(model.inputs.size(), 2u);
  const double largest = 25;  // of 0, 10, 0, 10
  EXPECT_DOUBLE_EQ(model.variances[0], 1e-9 * largest);
  EXPECT_DOUBLE_EQ(model.variances[1], 1e-9 * largest);
  const GaussianModel wide = fitted(world, {{"inputs", "values"}, {"smallest_variance", "0.5"}});
  EXPECT_DOUBLE_EQ(wide.variances[0], 0.5 * largest);
}

TEST(NaiveBayes, ConstantColumnsAreNoInputs) {
  const World world(testing::table({7, 0, 7, 1, 7, 2, 7, 3}, {0, 0, 1, 1}, 2), 1, true);
  const GaussianModel model = fitted(world);
  ASSERT_EQ(model.inputs.size(), 1u);
  EXPECT_EQ(model.inputs[0].feature_idx, 1u);
  const World all(testing::table({7, 7, 7}, {0, 0, 1}, 2), 1, true);
  EXPECT_TRUE(fitted(all).inputs.empty());
}

// The mean of 0, 2 and 4 takes the place of the missing one, in training as in prediction.
TEST(NaiveBayes, MissingValuesCountAsTheMean) {
  const World world(testing::table({0, 2, kMissing, 4}, {0, 0, 1, 1}, 2, {kMissing, 2}, {0, 0}), 1, true);
  const TrainingResult result = trained(make_naive_bayes, world, kOfValues);
  const auto& model = *result.model.as<GaussianModel>();
  EXPECT_EQ(model.inputs[0].missing, 2);
  EXPECT_EQ(model.means, (std::vector<double>{1, 3}));
  EXPECT_EQ(result.test_scores[0], result.test_scores[2]);
}

TEST(NaiveBayes, AClassWithoutExamplesIsBehindAllOthers) {
  const World world(testing::table({0, 1, 5, 6}, {1, 1, 2, 2}, 3, {-100, 100}, {1, 2}), 1, true);
  const TrainingResult result = trained(make_naive_bayes, world, kOfValues);
  EXPECT_EQ(result.curve[0].test_error, 0);
  for (std::size_t n = 0; n < 2; ++n)
    EXPECT_EQ(result.test_scores[3 * n],
              std::min(result.test_scores[3 * n + 1], result.test_scores[3 * n + 2]) - 700);
}

TEST(NaiveBayes, LearnsFromCodes) {
  const World world(testing::learnable_table(400, 10, 3, 1), 1, true);
  EXPECT_LT(trained(make_naive_bayes, world, {}).curve[0].test_error, 0.5);
  const TrainingResult drawn = trained(make_naive_bayes, world, {{"features", "4"}});
  EXPECT_EQ(drawn.model.as<GaussianModel>()->inputs.size(), 4u);
  EXPECT_EQ(drawn.families[0].offered, 4u);
}

TEST(NaiveBayesSettings, AreRefused) {
  for (const auto& [key, value] : {std::pair("inputs", "pixels"),
                                   {"features", "0"},
                                   {"smallest_variance", "0"},
                                   {"smallest_variance", "2"}}) {
    Settings settings = testing::settings_of({{key, value}});
    EXPECT_FALSE(make_naive_bayes(settings).ok()) << key << " " << value;
  }
}

}  // namespace
}  // namespace mash
