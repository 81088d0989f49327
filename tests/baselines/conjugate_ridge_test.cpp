// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/conjugate_ridge.hpp"

#include <gmock/gmock.h>

#include "classifiers/baselines/ridge.hpp"
#include "framework/base/random.hpp"
#include "tests/baselines/reference_tables.hpp"
#include "tests/baselines/trained.hpp"
#include "tests/learners/rows_on_table.hpp"

namespace mash {
namespace {

using testing::RowsOnTable;
using testing::trained;
using testing::World;

class ConjugateReference : public ::testing::TestWithParam<int> {};

TEST_P(ConjugateReference, IsWhatScikitLearnFinds) {
  const auto& table = testing::reference()["tables"][std::size_t(GetParam())];
  const World world = testing::world_of(table);
  const std::vector<double> given = table["weights"];
  for (const auto& [key, weights] :
       {std::pair<const char*, std::vector<double>>("equal", {}), std::pair("weighted", given)})
    for (const auto& expected : table[key]) {
      SCOPED_TRACE(fmt::format("{} {}", key, expected["alpha"].get<double>()));
      const testing::SettingList list{{"inputs", "values"},
                                      {"solver", "conjugate_gradients"},
                                      {"tolerance", "1e-10"},
                                      {"lambda", fmt::format("{}", expected["alpha"].get<double>())}};
      const TrainingResult result = trained(make_ridge, world, list, 1, {}, weights);
      testing::expect_model(*result.model.as<LinearModel>(), expected, 1e-6);
    }
}

INSTANTIATE_TEST_SUITE_P(Tables, ConjugateReference, ::testing::Range(0, 3));

// z = -1, 1 and y = -1, 1: v minimises 2 (1 - v)^2 + 2 v^2. The first step ends there.
TEST(ConjugateRidge, OfTwoPointsByHand) {
  const RowsOnTable rows({3, 5}, 1, {1, 1});
  const std::vector<std::uint16_t> labels{0, 1};
  const std::vector<double> weights{1, 1};
  const Workers workers(1);
  ConjugateRidge ridge(*rows, labels, 2);
  ridge.begin(2, weights, {1e-12, 100}, workers);
  EXPECT_EQ(ridge.slope(), 1) << "of v = 0";
  ridge.iterate(workers);
  EXPECT_TRUE(ridge.has_converged());
  LinearFit fit;
  ridge.write(std::vector<std::uint32_t>{0}, workers, fit);
  EXPECT_DOUBLE_EQ(fit.factors[1], 0.5);
  EXPECT_EQ(fit.factors[0], -fit.factors[1]);
  EXPECT_EQ(fit.intercepts, (std::vector<double>{0, 0}));
  EXPECT_EQ(ridge.classes(std::vector<std::uint32_t>{1, 0}, workers), (std::vector<std::uint16_t>{1, 0}));
}

std::vector<float> values_of(std::uint64_t seed, std::size_t count) {
  RandomStream stream(seed, "conjugate ridge values");
  std::vector<float> values;
  for (std::size_t k = 0; k < count; ++k) values.push_back(float(5 + stream.normal()));
  return values;
}

// Some examples weigh nothing, so the rows' means are not those of the problem.
struct Problem {
  Problem(std::uint64_t seed, std::size_t num_rows, std::size_t num_columns, std::size_t num_classes,
          FeatureNumber number)
      : rows(values_of(seed, num_rows * num_columns), num_columns, std::vector<double>(num_rows, 1.0),
             number) {
    RandomStream stream(seed, "conjugate ridge labels");
    for (std::size_t n = 0; n < num_rows; ++n) {
      labels.push_back(std::uint16_t(stream.below(num_classes)));
      weights.push_back(double(n % 4));
    }
    for (std::uint32_t i = 0; i < num_columns; ++i) features.push_back(i);
  }

  RowsOnTable rows;
  std::vector<std::uint16_t> labels;
  std::vector<double> weights;
  std::vector<std::uint32_t> features;
};

// The slope by its definition: lambda v - the sum over n of w_n (y_n - b - v z_n) z_n, and of the intercept.
TEST(ConjugateRidge, EndsWhereTheSlopeIsZero) {
  for (const FeatureNumber number : {FeatureNumber::kCode, FeatureNumber::kValue}) {
    constexpr std::size_t kRows = 60, kColumns = 7;
    const Problem problem(3, kRows, kColumns, 3, number);
    const Workers workers(2);
    ConjugateRidge ridge(*problem.rows, problem.labels, 3);
    ridge.begin(4, problem.weights, {1e-12, 1000}, workers);
    while (!ridge.has_ended()) ridge.iterate(workers);
    EXPECT_LE(ridge.num_iterations(), 2 * kColumns) << "as many steps as columns, apart from rounding";
    LinearFit fit;
    ridge.write(problem.features, workers, fit);
    std::vector<double> scales(problem.rows->scales().begin(), problem.rows->scales().end());
    for (std::size_t l = 0; l < 3; ++l) {
      std::vector<double> v, slopes;
      for (std::size_t i = 0; i < kColumns; ++i) v.push_back(fit.factors[i * 3 + l] * scales[i]);
      for (const double x : v) slopes.push_back(4 * x);
      double intercept_slope = 0;
      for (std::size_t n = 0; n < kRows; ++n) {
        RowSum row = problem.rows->empty_sum();
        problem.rows->add(n, 1, row);
        double residual = (problem.labels[n] == l ? 1 : -1) - fit.intercepts[l];
        for (std::size_t i = 0; i < kColumns; ++i)
          residual -= v[i] * problem.rows->factor(i, row) * scales[i];
        intercept_slope += problem.weights[n] * residual;
        for (std::size_t i = 0; i < kColumns; ++i)
          slopes[i] -= problem.weights[n] * residual * problem.rows->factor(i, row) * scales[i];
      }
      EXPECT_NEAR(intercept_slope, 0, 1e-9);
      for (const double slope : slopes) EXPECT_NEAR(slope, 0, 1e-8);
    }
  }
}

// Another one takes it up after each iteration.
TEST(ConjugateRidge, GoesOnWithTheSameBits) {
  const Problem problem(4, 50, 6, 3, FeatureNumber::kCode);
  const Workers workers(2);
  const IterationLimits limits{1e-10, 1000};
  ConjugateRidge whole(*problem.rows, problem.labels, 3);
  whole.begin(1, problem.weights, limits, workers);
  std::vector<double> state;
  for (; !whole.has_ended();) {
    whole.iterate(workers);
    ConjugateRidge part(*problem.rows, problem.labels, 3);
    part.begin(1, problem.weights, limits, workers);
    if (!state.empty()) {
      StateReader reader(state);
      part.take_back(reader);
      reader.finish();
    }
    part.iterate(workers);
    StateWriter writer, expected;
    part.keep(writer);
    whole.keep(expected);
    state = writer.take();
    ASSERT_EQ(state, expected.take()) << whole.num_iterations();
  }
  EXPECT_GT(whole.num_iterations(), 3u);
}

// With a lambda that falls, from the solution of the one before.
TEST(ConjugateRidge, EndsAtTheSameSolutionWhereverItBegins) {
  const Problem problem(5, 40, 5, 4, FeatureNumber::kValue);
  const Workers workers(1);
  LinearFit at_once, in_steps;
  for (LinearFit* fit : {&at_once, &in_steps}) {
    ConjugateRidge ridge(*problem.rows, problem.labels, 4);
    for (const double lambda : {100.0, 1.0}) {
      if (fit == &at_once && lambda > 1) continue;
      ridge.begin(lambda, problem.weights, {1e-11, 1000}, workers);
      while (!ridge.has_ended()) ridge.iterate(workers);
      EXPECT_TRUE(ridge.has_converged());
    }
    ridge.write(problem.features, workers, *fit);
  }
  for (std::size_t i = 0; i < at_once.factors.size(); ++i)
    EXPECT_NEAR(in_steps.factors[i], at_once.factors[i], 1e-8);
}

// A class without an example keeps the function -1 of its targets.
TEST(ConjugateRidge, OfAClassThatIsNotThereHasNoSlope) {
  const RowsOnTable rows({1, 2, 3, 5}, 1, {1, 1, 1, 1});
  const std::vector<std::uint16_t> labels{0, 0, 2, 2};
  const std::vector<double> weights(4, 1.0);
  const Workers workers(1);
  ConjugateRidge ridge(*rows, labels, 3);
  ridge.begin(1, weights, {1e-9, 100}, workers);
  while (!ridge.has_ended()) ridge.iterate(workers);
  LinearFit fit;
  ridge.write(std::vector<std::uint32_t>{0}, workers, fit);
  EXPECT_EQ(fit.factors[1], 0);
  EXPECT_EQ(fit.intercepts[1], -1);
}

TEST(ConjugateRidge, IsNearTheDecompositionOnCodes) {
  const World world(testing::learnable_table(300, 12, 4, 3), 1, true);
  const auto model = [&](const char* solver) {
    const TrainingResult result =
        trained(make_ridge, world, {{"solver", solver}, {"lambda", "20"}, {"tolerance", "1e-10"}});
    return *result.model.as<LinearModel>();
  };
  const LinearModel direct = model("cholesky"), conjugate = model("conjugate_gradients");
  ASSERT_EQ(direct.coefficients.size(), conjugate.coefficients.size());
  for (std::size_t i = 0; i < direct.coefficients.size(); ++i)
    EXPECT_NEAR(direct.coefficients[i], conjugate.coefficients[i], 1e-9);
  for (std::size_t l = 0; l < 4; ++l) EXPECT_NEAR(direct.intercepts[l], conjugate.intercepts[l], 1e-8);
}

}  // namespace
}  // namespace mash
