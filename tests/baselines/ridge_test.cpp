// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/ridge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "classifiers/baselines/ridge_solution.hpp"
#include "tests/baselines/reference_tables.hpp"
#include "tests/baselines/trained.hpp"

namespace mash {
namespace {

using nlohmann::json;
using testing::reference;
using testing::trained;
using testing::World;
using testing::world_of;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<std::uint32_t> all_columns(const World& world) {
  std::vector<std::uint32_t> columns(world.features().num_features());
  for (std::uint32_t i = 0; i < columns.size(); ++i) columns[i] = i;
  return columns;
}

NormalEquations equations_of(World& world, std::span<const double> weights) {
  const FeatureMatrix matrix(world.features(), Side::kTrain, all_columns(world), FeatureNumber::kValue);
  const auto equations =
      normal_equations(matrix, world.dataset.train.labels, world.dataset.num_classes(), weights, world.work);
  if (!equations.ok()) throw std::runtime_error(equations.error().message);
  return *equations;
}

bool is_near(double found, double expected) {
  return std::abs(found - expected) <= 1e-6 * std::max(1.0, std::abs(expected));
}

// In the columns' own units.
void expect_solution(const NormalEquations& equations, const RidgeSolution& solution, const json& expected) {
  const std::size_t num_classes = equations.num_classes();
  for (std::size_t l = 0; l < num_classes; ++l) {
    double intercept = equations.target_means[l];
    for (std::size_t i = 0; i < equations.num_columns(); ++i) {
      const double coefficient = solution.coefficients[i * num_classes + l] / equations.scales[i];
      intercept -= coefficient * equations.means[i];
      EXPECT_PRED2(is_near, coefficient, expected["coefficients"][l][i].get<double>())
          << i << ", class " << l;
    }
    EXPECT_PRED2(is_near, intercept, expected["intercepts"][l].get<double>()) << "class " << l;
  }
}

class RidgeReference : public ::testing::TestWithParam<int> {
 protected:
  const json& table() const { return reference()["tables"][std::size_t(GetParam())]; }
};

TEST_P(RidgeReference, CoefficientsAndInterceptsAreThoseOfScikitLearn) {
  World world = world_of(table());
  const std::vector<double> equal(world.features().num_train(), 1.0), given = table()["weights"];
  for (const auto& [key, weights] : {std::pair("equal", equal), std::pair("weighted", given)})
    for (const json& expected : table()[key]) {
      SCOPED_TRACE(key);
      const NormalEquations equations = equations_of(world, weights);
      expect_solution(equations, solve_ridge(equations, expected["alpha"]), expected);
    }
}

TEST_P(RidgeReference, TheSameLambdaOfTheGridIsChosen) {
  World world = world_of(table());
  const std::vector<double> lambdas = reference()["alphas"];
  const std::vector<double> equal(world.features().num_train(), 1.0), given = table()["weights"];
  for (const auto& [key, weights] : {std::pair("chosen", equal), std::pair("chosen_weighted", given)}) {
    const auto best = best_ridge(equations_of(world, weights), lambdas, world.work);
    ASSERT_TRUE(best.ok());
    EXPECT_EQ(best->lambda, table()[key].get<double>()) << key;
  }
}

TEST_P(RidgeReference, TheLearnerGivesThem) {
  World world = world_of(table());
  const json& expected = table()["equal"][1];
  const TrainingResult result = trained(make_ridge, world, {{"inputs", "values"}, {"lambda", "20"}});
  testing::expect_model(*result.model.as<LinearModel>(), expected, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Tables, RidgeReference, ::testing::Range(0, 3));

// Two rows of weight 1 and one of weight 2 are four rows.
TEST(Ridge, AWeightIsTheNumberOfExamples) {
  const std::vector<float> values{0, 1, 4, 4};
  World weighted(testing::table({0, 1, 4}, {0, 1, 1}, 2), 1, true);
  World repeated(testing::table(values, {0, 1, 1, 1}, 2), 1, true);
  const RidgeSolution a = solve_ridge(equations_of(weighted, std::vector<double>{1, 1, 2}), 3),
                      b = solve_ridge(equations_of(repeated, std::vector<double>{1, 1, 1, 1}), 3);
  for (std::size_t i = 0; i < a.coefficients.size(); ++i)
    EXPECT_NEAR(a.coefficients[i], b.coefficients[i], 1e-14);
}

// z = -1, 1 and y = -1, 1 for class 1: gram 2, moment 2, so the coefficient is 2 / (2 + lambda).
TEST(Ridge, OfTwoExamplesByHand) {
  World world(testing::table({3, 5}, {0, 1}, 2), 1, true);
  const NormalEquations equations = equations_of(world, std::vector<double>{1, 1});
  EXPECT_EQ(equations.means, std::vector<double>{4});
  EXPECT_EQ(equations.scales, std::vector<double>{1});
  EXPECT_EQ(equations.gram, std::vector<double>{2});
  EXPECT_EQ(equations.moments, (std::vector<double>{-2, 2}));
  EXPECT_EQ(equations.target_squares, 4);
  const RidgeSolution solution = solve_ridge(equations, 2);
  EXPECT_DOUBLE_EQ(solution.coefficients[1], 0.5);
  // Fitted are -1/2 and 1/2 of both classes: squares 4 * 1/4; of parameters 1 + 2 / (2 + 2).
  EXPECT_DOUBLE_EQ(solution.validation_score, (1.0 / 2) / ((1 - 1.5 / 2) * (1 - 1.5 / 2)));
}

// By the definition: the trace and the residuals of the matrix that gives fitted targets.
TEST(Ridge, ValidationScoreIsThatOfTheDefinition) {
  World world(testing::table({0, 1, 2, 5, 7, 4}, {0, 1, 0, 1, 1, 0}, 2), 1, true);
  const NormalEquations equations = equations_of(world, std::vector<double>(6, 1.0));
  const double lambda = 1.5, m = 6;
  const double fit = 1 / (equations.gram[0] + lambda);
  double residuals = 0, trace = 1;  // the intercept's
  const std::vector<double> values{0, 1, 2, 5, 7, 4}, targets{-1, 1, -1, 1, 1, -1};
  for (std::size_t n = 0; n < 6; ++n) {
    const double z = (values[n] - equations.means[0]) / equations.scales[0];
    const double fitted = z * fit * equations.moments[1];
    residuals += 2 * (targets[n] - fitted) * (targets[n] - fitted);  // of both classes
    trace += z * fit * z;
  }
  EXPECT_NEAR(solve_ridge(equations, lambda).validation_score,
              residuals / m / ((1 - trace / m) * (1 - trace / m)), 1e-12);
}

TEST(Ridge, ConstantColumnsAreNoInputs) {
  World world(testing::table({7, 0, 7, 1, 7, 2, 7, 3}, {0, 0, 1, 1}, 2), 1, true);
  const TrainingResult result = trained(make_ridge, world, {{"inputs", "values"}});
  const auto& model = *result.model.as<LinearModel>();
  ASSERT_EQ(model.inputs.size(), 1u);
  EXPECT_EQ(model.inputs[0].feature_idx, 1u);
}

TEST(Ridge, MissingValuesCountAsTheMean) {
  World world(testing::table({0, 2, kNaN, 4}, {0, 0, 1, 1}, 2, {kNaN, 2}, {0, 0}), 1, true);
  const TrainingResult result = trained(make_ridge, world, {{"inputs", "values"}, {"lambda", "1"}});
  const auto& model = *result.model.as<LinearModel>();
  ASSERT_EQ(model.inputs.size(), 1u);
  EXPECT_EQ(model.inputs[0].missing, 2);
  EXPECT_EQ(result.test_scores[0], result.test_scores[2]) << "a missing value and the mean";
}

TEST(Ridge, TakesNoMoreFeaturesThanAskedForWhateverTheOrderOfFamilies) {
  World world(testing::learnable_table(200, 30, 3, 1), 1, true);
  const auto used = [&](std::uint64_t seed) {
    const TrainingResult result = trained(make_ridge, world, {{"features", "7"}}, seed);
    std::vector<std::uint32_t> features;
    for (const ModelInput& input : result.model.as<LinearModel>()->inputs)
      features.push_back(input.feature_idx);
    EXPECT_EQ(result.families[0].offered, 7u);
    return features;
  };
  EXPECT_EQ(used(1).size(), 7u);
  EXPECT_EQ(used(1), used(1));
  EXPECT_NE(used(1), used(2));
}

TEST(Ridge, ExamplesThatAreLeftOutDoNotTrain) {
  World world(testing::table({0, 1, 2, 3, 100}, {0, 0, 1, 1, 0}, 2), 1, true);
  World without(testing::table({0, 1, 2, 3}, {0, 0, 1, 1}, 2), 1, true);
  const std::vector<std::uint32_t> left_out{4};
  const testing::SettingList settings{{"inputs", "values"}, {"lambda", "1"}};
  const auto a = *trained(make_ridge, world, settings, 1, left_out).model.as<LinearModel>(),
             b = *trained(make_ridge, without, settings).model.as<LinearModel>();
  EXPECT_EQ(a.intercepts, b.intercepts);
  EXPECT_EQ(a.coefficients, b.coefficients);
}

TEST(RidgeSettings, RefuseWhatIsNoListOfNumbersAboveZero) {
  for (const char* lambda : {"0", "-1", "a", "1,,2", "1,0", "inf", ""}) {
    Settings settings = testing::settings_of({{"lambda", lambda}});
    const auto made = make_ridge(settings);
    ASSERT_FALSE(made.ok()) << lambda;
    EXPECT_THAT(made.error().message, ::testing::HasSubstr("numbers above 0")) << lambda;
  }
}

TEST(RidgeSettings, RefuseWhatIsNoSolver) {
  Settings settings = testing::settings_of({{"solver", "lu"}});
  const auto made = make_ridge(settings);
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message, ::testing::HasSubstr("cholesky"));
}

TEST(Ridge, DecomposesNoMoreFeaturesThanMemoryHolds) {
  World world(testing::table(std::vector<float>(2 * 20'001), {0, 1}, 2), 1, true);
  Settings settings = testing::settings_of({{"solver", "cholesky"}});
  Observer nobody;
  const auto result =
      (*make_ridge(settings))->train(1, {world.dataset, world.features(), world.work, nobody, {}, {}});
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, ::testing::HasSubstr("found 20001 features, expected at most 20000"));
}

TEST(Ridge, StopsWhenItIsStopped) {
  World world(testing::learnable_table(100, 5, 3, 1), 1, true);
  world.stop.raise();
  Settings settings;
  Observer nobody;
  const auto result =
      (*make_ridge(settings))->train(1, {world.dataset, world.features(), world.work, nobody, {}, {}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::kStopped);
}

}  // namespace
}  // namespace mash
