// SPDX-License-Identifier: Apache-2.0
// Models that read numbers of their inputs: their files, and the scores of each kind.
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "classifiers/model/model_file.hpp"
#include "tests/model/made_models.hpp"

namespace mash {
namespace {

using testing::Damage;
using testing::error_of;
using testing::head_of_stored;
using testing::random_gaussian;
using testing::random_linear;
using testing::random_machines;
using testing::random_neighbours;
using testing::random_tree;
using testing::stored;

void set_inputs(InputModel& model) {
  static_cast<ModelHead&>(model) = head_of_stored();
  model.inputs = {{0, 5, {}, 1.5f}, {1, 0, {-1, 0.5f}, 0}};
  model.largest_score = 3.5;
}

// The models of the files that are stored.
std::vector<std::pair<const char*, Model>> models_of_files() {
  LinearModel linear;
  set_inputs(linear);
  linear.intercepts = {0.25, -0.25};
  linear.coefficients = {2, -2, 0.125, -0.125};
  GaussianModel gaussian;
  set_inputs(gaussian);
  gaussian.priors = {0.75, 0.25};
  gaussian.means = {2, -2, 0.5, 1.5};
  gaussian.variances = {0.5, 1, 0.25, 4};
  NeighboursModel neighbours;
  set_inputs(neighbours);
  neighbours.num_neighbours = 3;
  neighbours.power = 1.5;
  neighbours.classes = {1, 0};
  neighbours.example_weights = {1, 2.5};
  neighbours.rows = {2, {}, {1.5f, 2, -0.25f, 0}};
  KernelModel machines;
  set_inputs(machines);
  machines.kernel = {KernelKind::kPolynomial, 0.5, 1, 2};
  machines.classes = {0, 1};
  machines.coefficients = {0.5, -0.5};
  machines.biases = {-0.25};
  machines.rows = neighbours.rows;
  TreeModel tree;
  set_inputs(tree);
  tree.steps = {{0, 2.5f, 1, 2}, {}, {}};
  tree.shares = {0.5, 0.5, 1, 0, 0.125, 0.875};
  return {{"linear_version_4.json", linear},         {"linear_version_5.json", linear},
          {"gaussian_version_5.json", gaussian},     {"kernel_version_5.json", machines},
          {"neighbours_version_5.json", neighbours}, {"tree_version_5.json", tree}};
}

TEST(ModelFile, OfInputsIsReadFromStoredFiles) {
  for (const auto& [name, expected] : models_of_files()) {
    const auto parsed = parse_model(stored(name));
    ASSERT_TRUE(parsed.ok()) << name << ": " << parsed.error().message;
    EXPECT_EQ(*parsed, expected) << name;
    if (std::string_view(name).ends_with("_5.json")) {
      EXPECT_EQ(serialise(expected), stored(name)) << "equal models give equal bytes";
    }
  }
}

RC_GTEST_PROP(ModelFile, ReadsBackModelsWithInputs, (std::uint64_t seed)) {
  for (const Model& model :
       {Model(random_linear(seed)), Model(random_gaussian(seed)), Model(random_neighbours(seed)),
        Model(random_machines(seed)), Model(random_tree(seed))}) {
    const std::string text = serialise(model);
    const auto parsed = parse_model(text);
    RC_ASSERT(parsed.ok());
    RC_ASSERT(*parsed == model);
    RC_ASSERT(serialise(*parsed) == text);
  }
}

class DamagedLinearModel : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedLinearModel, IsRefusedByKey) {
  const auto model = parse_model(stored("linear_version_4.json"));
  ASSERT_TRUE(model.ok());
  EXPECT_THAT(error_of(*model, GetParam()), ::testing::HasSubstr(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Keys, DamagedLinearModel,
    ::testing::Values(
        Damage{"/intercepts", "", "/intercepts"}, Damage{"/intercepts", "[1]", "expected 2 numbers"},
        Damage{"/intercepts", "[1, null]", "/intercepts"},
        Damage{"/probabilities", "\"shares\"", "/probabilities: found \"shares\", expected \"softmax\""},
        Damage{"/largest_score", "-1", "/largest_score: found -1"},
        Damage{"/largest_score", "1e308", "/largest_score: found 1e+308"},
        Damage{"/intercepts", "[1e308, 0]", "/inputs: found intercepts and coefficients"},
        Damage{"/inputs/0/coefficients/0", "1e290", "expected at most 1e+300"},
        Damage{"/largest_score", "", "/largest_score"}, Damage{"/inputs", "{}", "/inputs"},
        Damage{"/families", "[]", "/families: found none"}, Damage{"/inputs/0", "7", "/inputs/0"},
        Damage{"/inputs/0/family", "2", "/inputs/0/family"},
        Damage{"/inputs/0/feature", "100", "/inputs/0/feature"},
        Damage{"/inputs/0/missing", "", "/inputs/0/missing"},
        Damage{"/inputs/0/missing", "\"mean\"", "/inputs/0/missing"},
        Damage{"/inputs/0/coefficients", "[1]", "/inputs/0/coefficients: found [1], expected 2 numbers"},
        Damage{"/inputs/1/thresholds", "[]", "1 to 255 numbers that increase"},
        Damage{"/inputs/1/thresholds", "[1, 1]", "1 to 255 numbers that increase"},
        Damage{"/inputs/1/thresholds", "[1e300]", "1 to 255 numbers that increase"},
        Damage{"/inputs/1/thresholds", "7", "/inputs/1/thresholds"},
        Damage{"/inputs/1/family", "0", "/inputs/1: found a feature that is not behind the one before"}));

class DamagedGaussianModel : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedGaussianModel, IsRefusedByKey) {
  const auto model = parse_model(stored("gaussian_version_5.json"));
  ASSERT_TRUE(model.ok());
  EXPECT_THAT(error_of(*model, GetParam()), ::testing::HasSubstr(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Keys, DamagedGaussianModel,
    ::testing::Values(
        Damage{"/priors", "", "/priors"}, Damage{"/priors", "[1]", "expected 2 numbers"},
        Damage{"/priors", "[0, 0]", "/priors: found [0,0], expected numbers from 0 to 1, not all 0"},
        Damage{"/priors/0", "-0.5", "expected numbers from 0 to 1"},
        Damage{"/largest_score", "-1", "/largest_score: found -1"}, Damage{"/inputs", "{}", "/inputs"},
        Damage{"/inputs/0/means", "", "/inputs/0/means"},
        Damage{"/inputs/0/means", "[1]", "/inputs/0/means: found [1], expected 2 numbers"},
        Damage{"/inputs/0/variances", "[1, null]", "/inputs/0/variances"},
        Damage{"/inputs/0/variances/1", "0", "expected numbers above 0"},
        Damage{"/inputs/0/variances/0", "1e-300", "expected at most 1e+300"},
        Damage{"/inputs/1/thresholds", "[1, 1]", "1 to 255 numbers that increase"},
        Damage{"/inputs/1/family", "0", "/inputs/1: found a feature that is not behind the one before"}));

class DamagedKernelModel : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedKernelModel, IsRefusedByKey) {
  const auto model = parse_model(stored("kernel_version_5.json"));
  ASSERT_TRUE(model.ok());
  EXPECT_THAT(error_of(*model, GetParam()), ::testing::HasSubstr(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Keys, DamagedKernelModel,
    ::testing::Values(Damage{"/kernel", "7", "/kernel"}, Damage{"/kernel", "", "/kernel"},
                      Damage{"/kernel/name", "\"sigmoid\"",
                             "/kernel/name: found \"sigmoid\", expected linear, polynomial or rbf"},
                      Damage{"/kernel/gamma", "0", "/kernel/gamma"},
                      Damage{"/kernel/offset", "-1", "/kernel/offset"},
                      Damage{"/kernel/degree", "0", "/kernel/degree"},
                      Damage{"/kernel/degree", "101", "/kernel/degree"},
                      Damage{"/biases", "[1, 2]", "/biases: found [1,2], expected 1 numbers"},
                      Damage{"/biases", "[1e308]", "/vectors: found coefficients"},
                      Damage{"/largest_score", "", "/largest_score"}, Damage{"/vectors", "7", "/vectors"},
                      Damage{"/vectors/0/class", "2", "/vectors/0/class"},
                      Damage{"/vectors/1/coefficients", "[]", "/vectors/1/coefficients"},
                      Damage{"/vectors/1/coefficients", "[1e250]", "expected at most 1e+300"},
                      Damage{"/vectors/1/numbers", "\"\"", "expected 8 bytes as base64"}));

class DamagedTreeModel : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedTreeModel, IsRefusedByKey) {
  const auto model = parse_model(stored("tree_version_5.json"));
  ASSERT_TRUE(model.ok());
  EXPECT_THAT(error_of(*model, GetParam()), ::testing::HasSubstr(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Keys, DamagedTreeModel,
    ::testing::Values(Damage{"/steps", "[]", "/steps: found 0, expected 1 to"},
                      Damage{"/steps", "7", "/steps"}, Damage{"/steps/0/input", "2", "/steps/0/input"},
                      Damage{"/steps/0/threshold", "", "/steps/0/threshold"},
                      Damage{"/steps/0/threshold", "1e300", "expected a finite number"},
                      Damage{"/steps/0/below", "3", "/steps/0/below"},
                      Damage{"/steps/0/above", "0", "expected steps that stand behind it, below and above"},
                      Damage{"/steps/0/above", "1", "/steps/1: found 2 steps that lead to it, expected one"},
                      Damage{"/steps/1/shares", "[1]", "/steps/1/shares"},
                      Damage{"/steps/1/shares", "[1, 1.5]", "expected numbers from 0 to 1"},
                      Damage{"/largest_score", "", "/largest_score"}));

class DamagedNeighboursModel : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedNeighboursModel, IsRefusedByKey) {
  const auto model = parse_model(stored("neighbours_version_5.json"));
  ASSERT_TRUE(model.ok());
  EXPECT_THAT(error_of(*model, GetParam()), ::testing::HasSubstr(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Keys, DamagedNeighboursModel,
    ::testing::Values(
        Damage{"/k", "0", "/k: found 0, expected a whole number that is 1 or more"}, Damage{"/k", "", "/k"},
        Damage{"/p", "0.5", "/p: found 0.5, expected a number from 1 to 100"}, Damage{"/p", "101", "/p"},
        Damage{"/largest_score", "-1", "/largest_score: found -1"}, Damage{"/inputs", "{}", "/inputs"},
        Damage{"/examples", "[]", "/examples: found none, expected at least one"},
        Damage{"/examples", "7", "/examples"}, Damage{"/examples/0", "7", "/examples/0"},
        Damage{"/examples/0/class", "2", "/examples/0/class"},
        Damage{"/examples/1/weight", "0", "/examples/1/weight: found 0, expected a number above 0"},
        Damage{"/examples/0/numbers", "\"AAAA\"", "expected 8 bytes as base64, 4 for each input"},
        Damage{"/examples/0/numbers", "\"AADA????AAA=\"", "expected 8 bytes as base64"},
        Damage{"/examples/0/numbers", "\"AADAfwAAAAA=\"", "expected finite numbers"},
        Damage{"/examples/0/numbers", "3", "/examples/0/numbers"}));

TEST(LinearInputs, AreValuesOrTheirCodes) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity();
  const ModelInput value{0, 0, {}, 2.5f}, code{0, 0, {-1, 0.5f, 3}, 0};
  EXPECT_EQ(value.of(-7), -7);
  EXPECT_EQ(value.of(kNaN), 2.5f);
  EXPECT_EQ(value.of(kInfinity), 2.5f);
  for (const auto& [x, expected] : {std::pair(-2.f, 0.f),
                                    {-1.f, 1.f},
                                    {0.5f, 2.f},
                                    {2.9f, 2.f},
                                    {3.f, 3.f},
                                    {kNaN, 0.f},
                                    {kInfinity, 3.f},
                                    {-kInfinity, 0.f}})
    EXPECT_EQ(code.of(x), expected) << x;
}

// 0.25 + 2 * 1.5 + 0.125 * 1, and the same of the other class with the other sign.
TEST(LinearModels, ScoresAreInterceptsPlusCoefficientsTimesNumbers) {
  const auto model = parse_model(stored("linear_version_4.json"));
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->kind(), "linear");
  EXPECT_FALSE(model->is_sum());
  EXPECT_THROW(model->sum(), std::logic_error);
  EXPECT_EQ(model->score_bound(), 3.5);
  const auto scorer = model->scorer();
  EXPECT_EQ(scorer->features(), (std::vector<std::vector<std::uint32_t>>{{5}, {0}}));
  std::vector<double> scores(2);
  const std::vector<float> values{std::numeric_limits<float>::quiet_NaN(), 0};
  scorer->scores(values, scores);
  EXPECT_EQ(scores, (std::vector<double>{3.375, -3.375}));
}

// The classes {1, 2, 3} and {4, 6, 8}: means 2 and 6, variances 2/3 and 8/3, equal priors.
TEST(GaussianModels, ScoresAreLogDensities) {
  GaussianModel model;
  model.class_names = {"a", "b"};
  model.families = {{"f", "f", "1.0.0", {}, 1}};
  model.inputs = {{0, 0, {}, 2}};
  model.priors = {0.5, 0.5};
  model.means = {2, 6};
  model.variances = {2.0 / 3, 8.0 / 3};
  std::vector<double> scores(6);
  number_scores(model)(std::vector<float>{3, 3.5f, 4}, scores);
  const std::vector<double> expected{-2.159, -3.790, -3.097, -3.274, -4.409, -2.853};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(scores[i], expected[i], 5e-4) << i;
  EXPECT_NEAR(scores[0], std::log(0.5) + log_density(model, 0, 0, 3), 1e-12);
  model.priors = {1, 0};
  number_scores(model)(std::vector<float>{3, 3.5f, 4}, scores);
  for (std::size_t i = 0; i < 6; i += 2) EXPECT_EQ(scores[i + 1], scores[i] - GaussianModel::kNeverSeen);
}

TEST(NeighboursModels, ScoresAreSharesOfTheNearest) {
  NeighboursModel model;
  model.class_names = {"a", "b", "c"};
  model.families = {{"f", "f", "1.0.0", {}, 1}};
  model.inputs = {{0, 0, {}, 2}};
  model.classes = {2, 1, 0, 1};
  model.example_weights = {1, 1, 2, 1};
  model.rows = {1, {}, {0, 1, 5, -1}};
  const auto scores = [&](float x, std::uint32_t k) {
    model.num_neighbours = k;
    std::vector<double> found(3);
    number_scores(model)(std::vector<float>{x}, found);
    return found;
  };
  EXPECT_EQ(scores(0.9f, 1), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(scores(0.5f, 1), (std::vector<double>{0, 0, 1})) << "of equal distances the first";
  EXPECT_EQ(scores(0, 3), (std::vector<double>{0, 2.0 / 3, 1.0 / 3}));
  EXPECT_EQ(scores(0, 100), (std::vector<double>{0.4, std::nextafter(0.4, 1), 0.2}))
      << "of a and b, b has the nearest example";
  const NumberRows queries{1, {}, {0.5f}};
  model.num_neighbours = 2;
  EXPECT_EQ(nearest_neighbours(model, queries, 1)[0], (std::vector<NearExample>{{0.25, 0}, {0.25, 1}}));
}

TEST(TreeModels, ScoresAreSharesOfTheLeaf) {
  const auto model = parse_model(stored("tree_version_5.json"));
  ASSERT_TRUE(model.ok()) << model.error().message;
  const auto scorer = model->scorer();
  std::vector<double> scores(2);
  scorer->scores(std::vector<float>{2.5f, 0}, scores);
  EXPECT_EQ(scores, (std::vector<double>{0.125, 0.875})) << "at the threshold";
  scorer->scores(std::vector<float>{std::numeric_limits<float>::quiet_NaN(), 0}, scores);
  EXPECT_EQ(scores, (std::vector<double>{1, 0})) << "1.5 stands for a missing value";
  EXPECT_EQ(path_of(*model->as<TreeModel>(), std::vector<float>{3, 0}), (std::vector<std::uint32_t>{0, 2}));
}

}  // namespace
}  // namespace mash
