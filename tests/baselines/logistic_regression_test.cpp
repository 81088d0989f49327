// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/logistic_regression.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "classifiers/baselines/softmax_regression.hpp"
#include "tests/baselines/reference_tables.hpp"
#include "tests/baselines/trained.hpp"
#include "tests/learners/rows_on_table.hpp"

namespace mash {
namespace {

using testing::RowsOnTable;
using testing::trained;
using testing::World;

testing::SettingList exact_list(testing::SettingList list) {
  list.insert(list.end(), {{"inputs", "values"}, {"tolerance", "1e-10"}, {"iterations", "100000"}});
  return list;
}

class LogisticReference : public ::testing::TestWithParam<int> {};

TEST_P(LogisticReference, IsWhatScikitLearnFinds) {
  const auto& table = testing::reference()["tables"][std::size_t(GetParam())];
  const World world = testing::world_of(table);
  const std::vector<double> given = table["weights"];
  for (const auto& [key, weights] :
       {std::pair<const char*, std::vector<double>>("logistic", {}), std::pair("logistic_weighted", given)})
    for (const auto& expected : table[key]) {
      SCOPED_TRACE(fmt::format("{} {}", key, expected["C"].get<double>()));
      const testing::SettingList list = exact_list({{"C", fmt::format("{}", expected["C"].get<double>())}});
      const TrainingResult result = trained(make_logistic_regression, world, list, 1, {}, weights);
      testing::expect_model(*result.model.as<LinearModel>(), expected, 1e-5);
    }
}

INSTANTIATE_TEST_SUITE_P(Tables, LogisticReference, ::testing::Range(0, 3));

// The points -1 and 1 of two classes: v minimises v^2 / 2 + 2 C ln(1 + e^-v), so v = 2 C / (1 + e^v).
TEST(SoftmaxRegression, OfTwoPointsByHand) {
  const RowsOnTable rows({-1, 1}, 1, {1, 1});
  const std::vector<std::uint16_t> labels{0, 1};
  const std::vector<double> weights{1, 1};
  const Workers workers(1);
  SoftmaxRegression regression(*rows, labels, 2);
  regression.begin(3, weights, {1e-13, 100}, workers);
  while (!regression.has_ended()) regression.iterate(workers);
  LinearFit fit;
  regression.write(std::vector<std::uint32_t>{0}, fit);
  const double v = 2 * fit.factors[1];
  EXPECT_NEAR(v, 6 / (1 + std::exp(v)), 1e-9);
  EXPECT_EQ(fit.factors[0], -fit.factors[1]);
  EXPECT_NEAR(fit.intercepts[1], 0, 1e-12);
}

// Another one takes it up after each iteration.
TEST(SoftmaxRegression, GoesOnWithTheSameBits) {
  RandomStream stream(4, "softmax regression");
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  std::vector<double> weights;
  for (std::size_t k = 0; k < 200; ++k) values.push_back(float(stream.normal()));
  for (std::size_t n = 0; n < 50; ++n) {
    labels.push_back(std::uint16_t(stream.below(3)));
    weights.push_back(double(n % 4));
  }
  const RowsOnTable rows(values, 4, weights);
  const Workers workers(2);
  const IterationLimits limits{1e-9, 1000};
  SoftmaxRegression whole(*rows, labels, 3);
  whole.begin(1, weights, limits, workers);
  std::vector<double> state;
  std::size_t num_iterations = 0;
  for (; !whole.has_ended(); ++num_iterations) {
    whole.iterate(workers);
    SoftmaxRegression part(*rows, labels, 3);
    part.begin(1, weights, limits, workers);
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
    ASSERT_EQ(state, expected.take()) << num_iterations;
  }
  EXPECT_TRUE(whole.has_converged());
  EXPECT_GT(num_iterations, 5u);
}

// With a C that grows, from the solution of the one before.
TEST(SoftmaxRegression, EndsAtTheSameSolutionWhereverItBegins) {
  RandomStream stream(1, "softmax regression");
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  for (std::size_t k = 0; k < 90; ++k) values.push_back(float(stream.normal()));
  for (std::size_t n = 0; n < 30; ++n) labels.push_back(std::uint16_t(stream.below(4)));
  const std::vector<double> weights(30, 1.0);
  const RowsOnTable rows(values, 3, weights);
  const Workers workers(1);
  LinearFit at_once, in_steps;
  for (LinearFit* fit : {&at_once, &in_steps}) {
    SoftmaxRegression regression(*rows, labels, 4);
    for (const double cost : {0.1, 10.0}) {
      if (fit == &at_once && cost < 1) continue;
      regression.begin(cost, weights, {1e-11, 1000}, workers);
      while (!regression.has_ended()) regression.iterate(workers);
      EXPECT_TRUE(regression.has_converged());
    }
    regression.write(std::vector<std::uint32_t>{0, 1, 2}, *fit);
  }
  for (std::size_t i = 0; i < at_once.factors.size(); ++i)
    EXPECT_NEAR(in_steps.factors[i], at_once.factors[i], 1e-6);
}

TEST(LogisticRegressionSettings, AreRefused) {
  for (const auto& [key, value] : {std::pair("C", "0"),
                                   {"C", "a"},
                                   {"tolerance", "0"},
                                   {"iterations", "0"},
                                   {"features", "0"},
                                   {"inputs", "pixels"}}) {
    Settings settings = testing::settings_of({{key, value}});
    EXPECT_FALSE(make_logistic_regression(settings).ok()) << key << " " << value;
  }
}

}  // namespace
}  // namespace mash
