// SPDX-License-Identifier: Apache-2.0
// The whole path on pictures: generated digits, two plugins, training, prediction from the raw images.
#include <string>
#include <vector>

#include "classifiers/serving/predictor.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/extractors/catalogue.hpp"
#include "tests/contract/run_comparison.hpp"
#include "tests/support/places.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::fingerprint;
using testing::Training;

class Digits : public ::testing::Test {
 protected:
  Digits() : catalogue(Catalogue::scan({})) {
    Settings settings;
    settings.add("train", "400", "");
    settings.add("test", "120", "");
    auto loaded = load_dataset("digits", settings, 1, testing::quiet_work());
    if (!loaded.ok()) throw std::runtime_error(loaded.error().message);
    dataset = *std::move(loaded);
    for (const char* name : {"identity", "hog"}) {
      const Status added = catalogue.add(std::filesystem::path(testing::binary_folder()) / "heuristics" /
                                         (std::string(name) + ".so"));
      if (!added.ok()) throw std::runtime_error(added.error().message);
      const HeuristicInfo& info = **catalogue.find(name);
      const auto values = *parameter_values(info, {});
      specs.push_back({info.id, info, values, describe_values(info, values)});
    }
  }
  FeatureSet open(const Workers& workers, std::uint64_t limit = ~std::uint64_t(0)) {
    StoreSettings store{folder / "store", limit, false, true};
    auto set = FeatureSet::open(specs, store,
                                {catalogue.host(), dataset, {workers, no_progress(), no_remarks(), stop}});
    if (!set.ok()) throw std::runtime_error(set.error().message);
    return *std::move(set);
  }

  testing::ScratchFolder folder;
  Catalogue catalogue;
  Dataset dataset;
  std::vector<FamilySpec> specs;
  StopFlag stop;
};

TEST_F(Digits, TrainTheSameForAnyNumberOfThreadsAndPredictFromImages) {
  std::string expected;
  for (const int num_threads : {1, 2, 3, 8}) {
    const Workers workers(num_threads);
    const FeatureSet features = open(workers);
    Training training;
    training.sampler = "laminating";
    training.booster.num_rounds = 40;
    const TrainingResult result = training.run(dataset, features, workers);
    if (expected.empty()) expected = fingerprint(result, training.events);
    EXPECT_EQ(fingerprint(result, training.events), expected) << num_threads;
    EXPECT_LT(result.curve.back().test_error, 0.6) << "nine in ten are wrong by chance";

    const auto predictor = Predictor::open(result.model, catalogue);
    ASSERT_TRUE(predictor.ok()) << predictor.error().message;
    const auto scores = predictor->scores(dataset.test, workers);
    ASSERT_TRUE(scores.ok());
    EXPECT_EQ(*scores, result.test_scores) << "codes and raw values say the same";
  }
}

TEST_F(Digits, TrainTheSameWhereFeaturesAreComputedOnDemand) {
  std::string expected;
  for (const int num_threads : {1, 3}) {
    const Workers workers(num_threads);
    for (const std::uint64_t limit : {~std::uint64_t(0), std::uint64_t(0)}) {
      const FeatureSet features = open(workers, limit);
      Training training;
      training.sampler = "tasting.q1";
      training.sampler_settings = {{"tasted", "10"}};
      training.booster.num_rounds = 5;
      const TrainingResult result = training.run(dataset, features, workers);
      if (expected.empty()) expected = fingerprint(result, training.events);
      EXPECT_EQ(fingerprint(result, training.events), expected) << num_threads << ", " << limit;
    }
  }
}

}  // namespace
}  // namespace mash
