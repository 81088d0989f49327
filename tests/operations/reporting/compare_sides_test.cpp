// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/reporting/compare_sides.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

FlatSettings flat(const std::string& text) {
  const auto experiment = parse_experiment(text, "run 1", {});
  if (!experiment.ok()) throw std::runtime_error(experiment.error().message);
  // As it is recorded.
  const auto recorded = parse_experiment(to_yaml(*experiment), "run 1", {});
  if (!recorded.ok()) throw std::runtime_error(recorded.error().message);
  EXPECT_EQ(flat_settings(*recorded).given, flat_settings(*experiment).given);
  return flat_settings(*recorded);
}

TEST(FlatSettings, HaveTheirSectionInFront) {
  const FlatSettings settings = flat(R"(dataset: {name: digits, train: 600, size: 16}
heuristics: [{id: hog, cell: [8, 4], bins: 9}, lbp]
sampler: {name: laminating, budget: 5}
isolation: process
patience: 3
seed: 7
runs: 3
)");
  EXPECT_THAT(settings.given,
              ElementsAre(Pair("dataset.name", "digits"), Pair("dataset.size", "16"),
                          Pair("dataset.train", "600"), Pair("booster.name", "adaboost.mh"),
                          Pair("weak.name", "stump"), Pair("sampler.name", "laminating"),
                          Pair("sampler.budget", "5"), Pair("isolation", "process"), Pair("patience", "3")));
  EXPECT_THAT(settings.defaults,
              ::testing::IsSupersetOf({Pair("booster.rounds", "100"), Pair("weak.cuts", "codes"),
                                       Pair("sampler.features", "auto")}));
}

TEST(FlatSettings, ADefaultWrittenOutIsOneLeftOut) {
  const FlatSettings out =
      flat("dataset: {name: digits, pose: 1.0}\nsampler: {name: laminating, budget: 1e1}\n");
  const FlatSettings left = flat("dataset: digits\nsampler: laminating\n");
  EXPECT_EQ(out.given, left.given);
  EXPECT_EQ(out.defaults, left.defaults);
}

TEST(FlatSettings, OfAClassifierHaveNoBooster) {
  EXPECT_THAT(flat("dataset: digits\nclassifier: {name: ridge, features: 20}\n").given,
              ElementsAre(Pair("dataset.name", "digits"), Pair("classifier.name", "ridge"),
                          Pair("classifier.features", "20")));
}

}  // namespace
}  // namespace mash
