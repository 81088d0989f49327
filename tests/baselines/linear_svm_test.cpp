// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/linear_svm.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "classifiers/learners/held_out.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "tests/baselines/reference_tables.hpp"
#include "tests/baselines/trained.hpp"

namespace mash {
namespace {

using testing::trained;
using testing::World;

constexpr float kAbsent = std::numeric_limits<float>::quiet_NaN();
const testing::SettingList kExactSettings{{"inputs", "values"}, {"tolerance", "1e-8"}, {"passes", "1000000"}};

testing::SettingList exact(testing::SettingList list) {
  list.insert(list.end(), kExactSettings.begin(), kExactSettings.end());
  return list;
}

class LinearSvmReference : public ::testing::TestWithParam<int> {};

TEST_P(LinearSvmReference, IsWhatScikitLearnFinds) {
  const auto& table = testing::reference()["tables"][std::size_t(GetParam())];
  const World world = testing::world_of(table);
  const std::vector<double> given = table["weights"];
  for (const auto& [key, weights] : {std::pair<const char*, std::vector<double>>("linear_svm", {}),
                                     std::pair("linear_svm_weighted", given)})
    for (const auto& expected : table[key]) {
      SCOPED_TRACE(
          fmt::format("{} {} {}", key, expected["loss"].get<std::string>(), expected["C"].get<double>()));
      const testing::SettingList list =
          exact({{"loss", expected["loss"]}, {"C", fmt::format("{}", expected["C"].get<double>())}});
      const TrainingResult result = trained(make_linear_svm, world, list, 1, {}, weights);
      testing::expect_model(*result.model.as<LinearModel>(), expected, 1e-4);
    }
}

INSTANTIATE_TEST_SUITE_P(Tables, LinearSvmReference, ::testing::Range(0, 3));

// The share of these training examples that the model gets wrong.
double error_on(const LinearModel& model, const World& world, std::span<const std::uint32_t> examples) {
  const std::size_t num_columns = world.dataset.column_names.size();
  std::size_t num_wrong = 0;
  for (const std::uint32_t n : examples) {
    std::vector<float> numbers;
    for (const ModelInput& input : model.inputs)
      numbers.push_back(input.of(world.dataset.train.values[n * num_columns + input.feature_idx]));
    std::vector<double> scores(model.num_classes());
    number_scores(model)(numbers, scores);
    num_wrong += predicted_classes(scores, scores.size())[0] != world.dataset.train.labels[n];
  }
  return double(num_wrong) / double(examples.size());
}

TEST(LinearSvm, ChoosesTheCostWithTheSmallestErrorOnATenth) {
  const std::vector<std::string> costs{"1e-05", "0.001", "0.1", "1"};
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const World world(testing::learnable_table(300, 12, 4, seed), 1, true);
    const HeldOut held = hold_out_tenth(world.dataset.train.labels, std::vector<double>(300, 1.0), 4, seed);
    std::string best;
    double smallest = 2;
    int num_worse = 0;
    for (const std::string& cost : costs) {
      const auto part = trained(make_linear_svm, world, exact({{"C", cost}}), seed, held.judges);
      const double error = error_on(*part.model.as<LinearModel>(), world, held.judges);
      num_worse = error > smallest ? num_worse + 1 : 0;
      if (num_worse == 2) break;
      if (error < smallest) best = cost;
      smallest = std::min(error, smallest);
    }
    // They begin at other machines, so the last digits differ.
    const auto chosen = trained(make_linear_svm, world, exact({{"C", "0.1,1,1e-05,0.001"}}), seed),
               given = trained(make_linear_svm, world, exact({{"C", best}}), seed);
    const auto &a = *chosen.model.as<LinearModel>(), &b = *given.model.as<LinearModel>();
    ASSERT_EQ(a.coefficients.size(), b.coefficients.size());
    for (std::size_t i = 0; i < a.coefficients.size(); ++i)
      EXPECT_NEAR(a.coefficients[i], b.coefficients[i], 1e-6) << best;
    EXPECT_EQ(chosen.chosen.setting, "C");
    EXPECT_EQ(chosen.chosen.value, best);
    EXPECT_GE(chosen.chosen.num_tried, 3u);
    EXPECT_EQ(given.chosen.setting, "");
  }
}

// Twice the weights with half the C is the same problem.
TEST(LinearSvm, TunedCostsFollowTheSumOfTheWeights) {
  const World world(testing::learnable_table(300, 12, 4, 3), 1, true);
  const std::vector<double> once(300, 1.0), twice(300, 2.0);
  EXPECT_EQ(trained(make_linear_svm, world, {{"C", "tuned"}}, 1, {}, once).model,
            trained(make_linear_svm, world, {}, 1, {}, twice).model);
}

TEST(LinearSvm, AClassWithoutExamplesIsMinusOne) {
  const World world(testing::table({0, 1, 2, 3, 4, 5}, {0, 2, 0, 2, 0, 2}, 3), 1, true);
  const TrainingResult result = trained(make_linear_svm, world, {{"inputs", "values"}, {"C", "1"}});
  const auto& model = *result.model.as<LinearModel>();
  EXPECT_EQ(model.coefficients[1], 0);
  EXPECT_EQ(model.intercepts[1], -1);
}

TEST(LinearSvm, MissingValuesCountAsTheMeanAndConstantsAreNoInputs) {
  const World world(
      testing::table({0, 7, 2, 7, kAbsent, 7, 4, 7}, {0, 0, 1, 1}, 2, {kAbsent, 7, 2, 7}, {0, 0}), 1, true);
  const TrainingResult result = trained(make_linear_svm, world, {{"inputs", "values"}, {"C", "1"}});
  const auto& model = *result.model.as<LinearModel>();
  ASSERT_EQ(model.inputs.size(), 1u);
  EXPECT_EQ(model.inputs[0].missing, 2);
  EXPECT_EQ(result.test_scores[0], result.test_scores[2]) << "a missing value and the mean";
}

// Two examples of weight 1 and one of weight 2 are four.
TEST(LinearSvm, AWeightIsTheNumberOfExamples) {
  const World weighted(testing::table({0, 1, 4, 3}, {0, 1, 1, 0}, 2), 1, true),
      repeated(testing::table({0, 1, 4, 4, 3}, {0, 1, 1, 1, 0}, 2), 1, true);
  const testing::SettingList list = exact({{"C", "0.5"}});
  const auto a = *trained(make_linear_svm, weighted, list, 1, {}, std::vector<double>{1, 1, 2, 1})
                      .model.as<LinearModel>(),
             b = *trained(make_linear_svm, repeated, list).model.as<LinearModel>();
  EXPECT_NEAR(a.coefficients[1], b.coefficients[1], 1e-8);
  EXPECT_NEAR(a.intercepts[1], b.intercepts[1], 1e-8);
}

TEST(LinearSvmSettings, AreRefused) {
  for (const auto& [key, value] : {std::pair("C", "0"),
                                   {"C", "a"},
                                   {"loss", "log"},
                                   {"tolerance", "0"},
                                   {"passes", "0"},
                                   {"features", "0"},
                                   {"inputs", "pixels"}}) {
    Settings settings = testing::settings_of({{key, value}});
    EXPECT_FALSE(make_linear_svm(settings).ok()) << key << " " << value;
  }
}

}  // namespace
}  // namespace mash
