// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/robustness.hpp"

#include <filesystem>

#include "framework/base/random.hpp"
#include "framework/dataset/perturbation.hpp"

namespace mash {
namespace {

constexpr std::uint32_t kSize = 8;
constexpr std::size_t kPixel = 3 * kSize + 4;  // that the models look at
constexpr float kThreshold = 128;

// Class 1 where the pixel is bright, but for the examples that a model cannot get right; noise elsewhere.
Dataset spotted(std::size_t num_test, const std::vector<std::size_t>& mislabelled) {
  Dataset data;
  data.name = "spots";
  data.shape = {kSize, kSize, 1};
  data.class_names = {"dark", "bright"};
  data.train.labels = {1, 0, 1};  // so that "bright" is the most frequent class
  data.test.num_examples = num_test;
  RandomStream stream(1, "test.spots");
  for (std::size_t n = 0; n < num_test; ++n) {
    for (std::size_t i = 0; i < kSize * kSize; ++i)
      data.test.pixels.push_back(std::uint8_t(stream.below(256)));
    const bool is_bright = float(data.test.pixels[n * kSize * kSize + kPixel]) >= kThreshold;
    const bool is_wrong = std::find(mislabelled.begin(), mislabelled.end(), n) != mislabelled.end();
    data.test.labels.push_back(std::uint16_t(is_bright != is_wrong));
  }
  return data;
}

// One cut of a pixel; bright is class 1, or 0 where it is the wrong way round.
StrongClassifier model_of(bool is_right) {
  StrongClassifier model;
  model.class_names = {"dark", "bright"};
  model.shape = {kSize, kSize, 1};
  model.families = {{"identity", "identity", "1.0.0", {}, 3 * kSize * kSize}};
  const double bright = is_right ? 1 : -1;
  model.hypotheses = {{1.0, {{0, kPixel, kThreshold}}, {-bright, bright}, {}}};
  return model;
}

class Robustness : public ::testing::Test {
 protected:
  Result<std::vector<RobustnessCurve>> try_curves(const Dataset& data, const StrongClassifier* without,
                                                  int num_threads = 2, std::uint64_t seed = 1) {
    const Workers workers(num_threads);
    const StrongClassifier with = model_of(true);
    return robustness_curves({data, with, without, seed}, catalogue_,
                             {workers, no_progress(), no_remarks(), stop_});
  }
  std::vector<RobustnessCurve> curves(const Dataset& data, const StrongClassifier* without,
                                      int num_threads = 2, std::uint64_t seed = 1) {
    auto made = try_curves(data, without, num_threads, seed);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
    return made.ok() ? *std::move(made) : std::vector<RobustnessCurve>();
  }

  Catalogue catalogue_ = Catalogue::scan(std::vector{std::filesystem::path(MASH_BINARY_DIR) / "heuristics"});
  StopFlag stop_;
};

// Amount, without, with: of all points of all curves.
std::vector<double> figures(const std::vector<RobustnessCurve>& curves) {
  std::vector<double> all;
  for (const RobustnessCurve& curve : curves)
    for (const RobustnessPoint& point : curve.points)
      all.insert(all.end(), {point.amount, point.error_without, point.error_with});
  return all;
}

TEST_F(Robustness, EveryKindBeginsWithThePlainTestError) {
  const StrongClassifier without = model_of(false);
  const auto found = curves(spotted(100, {3, 50, 99}), &without);
  ASSERT_EQ(found.size(), perturbations().size());
  for (std::size_t kind = 0; kind < found.size(); ++kind) {
    const RobustnessCurve& curve = found[kind];
    EXPECT_EQ(curve.kind, perturbations()[kind].name);
    EXPECT_EQ(curve.unit, perturbations()[kind].unit);
    ASSERT_EQ(curve.points.size(), 4u);
    EXPECT_EQ(curve.points[0].amount, 0);
    EXPECT_DOUBLE_EQ(curve.points[0].error_with, 0.03) << curve.kind;
    EXPECT_DOUBLE_EQ(curve.points[0].error_without, 0.97) << curve.kind;
    for (std::size_t i = 1; i < 4; ++i) {
      EXPECT_GT(curve.points[i].amount, curve.points[i - 1].amount) << curve.kind;
      EXPECT_LE(curve.points[i].amount, perturbations()[kind].maximum) << curve.kind;
      // Both models see the same pictures, and contradict each other.
      EXPECT_NEAR(curve.points[i].error_with + curve.points[i].error_without, 1, 1e-12) << curve.kind;
    }
    EXPECT_GT(curve.points[3].error_with, 0.03) << curve.kind << " changes nothing";
  }
}

TEST_F(Robustness, EveryPointIsTheErrorOnPicturesThatAreChangedOnce) {
  const Dataset data = spotted(80, {7});
  const auto found = curves(data, nullptr, 2, 5);
  for (std::size_t kind = 0; kind < found.size(); ++kind)
    for (const RobustnessPoint& point : found[kind].points) {
      Split changed = data.test;
      perturb(changed, data.shape, {PerturbationKind(kind), point.amount}, 5);
      std::size_t num_wrong = 0;
      for (std::size_t n = 0; n < changed.num_examples; ++n)
        num_wrong += (float(changed.pixels[n * kSize * kSize + kPixel]) >= kThreshold) != changed.labels[n];
      EXPECT_DOUBLE_EQ(point.error_with, double(num_wrong) / 80) << found[kind].kind << " " << point.amount;
    }
}

TEST_F(Robustness, WithoutAModelTheConstantAnswerBearsEverything) {
  const Dataset data = spotted(1100, {});
  const double num_dark = double(std::count(data.test.labels.begin(), data.test.labels.begin() + 1000, 0));
  for (const RobustnessCurve& curve : curves(data, nullptr))
    for (const RobustnessPoint& point : curve.points) EXPECT_EQ(point.error_without, num_dark / 1000);
}

TEST_F(Robustness, ChangesAreOfTheSeedAndNotOfTheThreads) {
  const Dataset data = spotted(150, {1});
  const StrongClassifier without = model_of(false);
  const auto expected = figures(curves(data, &without, 1));
  EXPECT_EQ(figures(curves(data, &without, 3)), expected);
  EXPECT_EQ(figures(curves(data, &without, 1, 2)).size(), expected.size());
  EXPECT_NE(figures(curves(data, &without, 1, 2)), expected);
}

TEST_F(Robustness, LooksAtTheFirstThousandImages) {
  std::vector<std::size_t> behind;
  for (std::size_t n = 1000; n < 1200; ++n) behind.push_back(n);
  EXPECT_EQ(curves(spotted(1200, behind), nullptr)[0].points[0].error_with, 0);
  behind.push_back(999);
  EXPECT_DOUBLE_EQ(curves(spotted(1200, behind), nullptr)[0].points[0].error_with, 0.001);
}

TEST_F(Robustness, StopsWhenAsked) {
  stop_.raise();
  const auto stopped = try_curves(spotted(20, {}), nullptr);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::kStopped);
}

TEST_F(Robustness, AModelOfAMissingHeuristicIsRefused) {
  StrongClassifier without = model_of(true);
  without.families[0].heuristic = "you/edges";
  const auto refused = try_curves(spotted(20, {}), &without);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kInput);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("you/edges"));
}

}  // namespace
}  // namespace mash
