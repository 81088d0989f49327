// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/predictor.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/places.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

constexpr float kMissingValue = std::numeric_limits<float>::quiet_NaN();
constexpr float kConstantValue = -std::numeric_limits<float>::infinity();

StrongClassifier columns_model() {
  StrongClassifier model;
  model.class_names = {"a", "b"};
  model.column_names = {"x", "y", "z"};
  model.families = {{"columns", "columns", "1.0.0", {}, 3}};
  model.hypotheses = {{0.5, {{0, 2, 1.5f}}, {1, -1}, {}},
                      {0.25, {{0, 0, 0.f}}, {-1, -1}, {}},
                      {0.125, {{0, 1, kConstantValue}}, {1, 1}, {}}};
  return model;
}

Split rows_of(std::vector<float> values, std::size_t num_columns) {
  Split split;
  split.num_examples = values.size() / num_columns;
  split.values = std::move(values);
  return split;
}

TEST(Predictor, AddsTheHypothesesUp) {
  Catalogue catalogue = Catalogue::scan({});
  const StrongClassifier model = columns_model();
  const auto predictor = Predictor::open(model, catalogue);
  ASSERT_TRUE(predictor.ok()) << predictor.error().message;
  const auto scores = predictor->scores(rows_of({1, 0, 2, -1, 0, 1.5f, 0, 0, kMissingValue}, 3), Workers(2));
  ASSERT_TRUE(scores.ok());
  EXPECT_THAT(*scores,
              ::testing::ElementsAre(0.5 - 0.25 + 0.125, -0.5 - 0.25 + 0.125,    // above, above
                                     0.5 + 0.25 + 0.125, -0.5 + 0.25 + 0.125,    // at the threshold, below
                                     -0.5 - 0.25 + 0.125, 0.5 - 0.25 + 0.125));  // missing is below
}

// The values that the scores are computed from: of the features that are asked for, by family and feature.
TEST(Predictor, GivesTheValuesOfItsScores) {
  Catalogue catalogue = Catalogue::scan({});
  const auto predictor = Predictor::open(columns_model(), catalogue);
  ASSERT_TRUE(predictor.ok()) << predictor.error().message;
  EXPECT_EQ(predictor->num_values(), 2u) << "nobody asks for the second column";
  const auto values = predictor->values(rows_of({1, 5, 2, -1, 6, 1.5f}, 3), Workers(2));
  ASSERT_TRUE(values.ok());
  EXPECT_THAT(*values, ::testing::ElementsAre(1, 2, -1, 1.5f));
}

TEST(Predictor, FollowsProductsAndTrees) {
  Catalogue catalogue = Catalogue::scan({});
  StrongClassifier model = columns_model();
  model.hypotheses = {{1, {{0, 0, 1.f}, {0, 1, 1.f}}, {1, -1}, {}},
                      {10, {{0, 0, 1.f}, {0, 1, 1.f}}, {1, 1, -1, 1, 1, -1}, {{-1, 1}, {-2, -3}}}};
  const auto predictor = Predictor::open(model, catalogue);
  ASSERT_TRUE(predictor.ok()) << predictor.error().message;
  const auto scores =
      predictor->scores(rows_of({0, 0, 0, 0, 2, 0, 2, 0, 0, 2, kMissingValue, 0, 2, 2, 0}, 3), Workers(1));
  EXPECT_THAT(*scores, ::testing::ElementsAre(11, 9, 9, 11, -11, 11, -11, 11, 11, -11));
}

// Errors are counted against labels, which the order of a data set may tell.
TEST(Predictor, ShowsPicturesInASecretOrder) {
  constexpr std::size_t kNumShown = 500;
  auto host = std::make_unique<testing::FakeHost>();
  testing::FakeHost& heard = *host;
  const HeuristicInfo info =
      host->add({"fake", 1, [](std::uint32_t example, std::uint32_t) { return float(example); }}).heuristic;
  const auto describe = [&](std::span<const std::filesystem::path>) {
    return Result(std::vector{DescribedPlugin(std::vector{info})});
  };
  Catalogue catalogue({describe, std::move(host)});
  ASSERT_TRUE(catalogue.add("fake.so").ok());
  const Dataset dataset = testing::numbered_images({}, std::vector<std::uint16_t>(kNumShown), 2);
  StrongClassifier model = columns_model();
  model.column_names.clear();
  model.shape = dataset.shape;
  model.families = {{"fake", "fake", "1.0.0", {}, 1}};
  model.hypotheses = {{1, {{0, 0, 99.5f}}, {1, -1}, {}}};
  const auto predictor = Predictor::open(model, catalogue);
  ASSERT_TRUE(predictor.ok()) << predictor.error().message;
  const auto scores = predictor->scores(dataset.test, Workers(1));
  ASSERT_TRUE(scores.ok()) << scores.error().message;
  for (std::size_t n = 0; n < kNumShown; ++n) EXPECT_EQ((*scores)[2 * n], n < 100 ? -1 : 1);
  EXPECT_EQ(heard.num_images, kNumShown);
  EXPECT_EQ(heard.num_distinct_images(), kNumShown);
  EXPECT_FALSE(std::ranges::is_sorted(heard.shown()));
}

TEST(Predictor, OfNoExamplesIsNothing) {
  Catalogue catalogue = Catalogue::scan({});
  const StrongClassifier model = columns_model();
  const auto predictor = Predictor::open(model, catalogue);
  EXPECT_THAT(*predictor->scores({}, Workers(2)), ::testing::IsEmpty());
}

TEST(Predictor, OfAModelWithoutHypothesesIsZero) {
  Catalogue catalogue = Catalogue::scan({});
  StrongClassifier model = columns_model();
  model.hypotheses.clear();
  const auto predictor = Predictor::open(model, catalogue);
  ASSERT_TRUE(predictor.ok());
  EXPECT_THAT(*predictor->scores(rows_of({1, 2, 3}, 3), Workers(1)), ::testing::Each(0.0));
}

TEST(Predictor, NumberOfThreadsDoesNotMatter) {
  Catalogue catalogue = Catalogue::scan({});
  const StrongClassifier model = columns_model();
  const auto predictor = Predictor::open(model, catalogue);
  std::vector<float> values(3 * 1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i * 7919 % 100) / 20 - 2;
  const Split split = rows_of(values, 3);
  const auto expected = *predictor->scores(split, Workers(1));
  for (const int num_threads : {2, 3, 8})
    EXPECT_EQ(*predictor->scores(split, Workers(num_threads)), expected);
}

// A model of 4 x 4 pictures over the plugins that come with the program.
class PicturePredictor : public ::testing::Test {
 protected:
  PicturePredictor()
      : catalogue(
            Catalogue::scan(std::vector{std::filesystem::path(testing::binary_folder()) / "heuristics"})) {
    model.class_names = {"a", "b"};
    model.shape = {4, 4, 1};
    model.families = {{"identity", "identity", "1.0.0", {}, 48}};
    model.hypotheses = {{1.0, {{0, 5, 100.f}}, {1, -1}, {}}};
  }
  std::string error() {
    const auto predictor = Predictor::open(model, catalogue);
    EXPECT_FALSE(predictor.ok());
    if (predictor.ok()) return "";
    EXPECT_EQ(predictor.error().kind, ErrorKind::kInput);
    return predictor.error().message;
  }
  Catalogue catalogue;
  StrongClassifier model;
};

TEST_F(PicturePredictor, LooksAtThePicture) {
  Split split;
  split.num_examples = 2;
  split.pixels.resize(32);
  split.pixels[5] = 100;
  split.pixels[16 + 5] = 99;
  const auto predictor = Predictor::open(model, catalogue);
  ASSERT_TRUE(predictor.ok()) << predictor.error().message;
  EXPECT_THAT(*predictor->scores(split, Workers(1)), ::testing::ElementsAre(1, -1, -1, 1));
}

TEST_F(PicturePredictor, RefusesAMissingHeuristic) {
  model.families[0].heuristic = "you/edges";
  EXPECT_THAT(error(), ::testing::HasSubstr("you/edges"));
}

TEST_F(PicturePredictor, RefusesAnotherVersion) {
  model.families[0].version = "0.9.0";
  EXPECT_THAT(error(), ::testing::AllOf(::testing::HasSubstr("0.9.0"), ::testing::HasSubstr("1.0.0")));
}

TEST_F(PicturePredictor, RefusesOtherParameters) {
  model.families[0].values = {1, 2, 3};
  EXPECT_THAT(error(), ::testing::HasSubstr("found 0 parameters, the model has values for 3"));
}

TEST_F(PicturePredictor, RefusesAnotherNumberOfFeatures) {
  model.families[0].dim = 49;
  EXPECT_THAT(error(), ::testing::HasSubstr("found 48 features, the model was trained with 49"));
}

TEST_F(PicturePredictor, RefusesParametersOutOfRange) {
  const auto info = catalogue.find("hog");
  ASSERT_TRUE(info.ok());
  model.families[0] = {"hog", "hog", "1.0.0", {}, 9};
  for (const ParameterInfo& parameter : (*info)->parameters)
    model.families[0].values.push_back(parameter.maximum + 1);
  EXPECT_THAT(error(), ::testing::HasSubstr((*info)->parameters[0].id));
}

TEST_F(PicturePredictor, DoesNotNeedAFamilyThatNoCutUses) {
  model.families.push_back({"gone", "you/gone", "1.0.0", {}, 9});
  EXPECT_TRUE(Predictor::open(model, catalogue).ok());
}

}  // namespace
}  // namespace mash
