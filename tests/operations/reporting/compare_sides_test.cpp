// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/reporting/compare_sides.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

KnownSettings flat(const std::string& text) {
  const auto experiment = parse_experiment(text, "run 1", {});
  if (!experiment.ok()) throw std::runtime_error(experiment.error().message);
  // As it is recorded.
  const auto recorded = parse_experiment(to_yaml(*experiment), "run 1", {});
  if (!recorded.ok()) throw std::runtime_error(recorded.error().message);
  EXPECT_EQ(flat_settings(*recorded), flat_settings(*experiment));
  return flat_settings(*recorded);
}

TEST(FlatSettings, HaveTheirSectionInFront) {
  EXPECT_THAT(flat(R"(dataset: {name: digits, train: 600, resize: {width: 8, height: 8}}
heuristics: [{id: hog, cell: [8, 4], bins: 9}, lbp]
sampler: {name: laminating, budget: 10}
isolation: process
patience: 3
seed: 7
runs: 3
)"),
              ElementsAre(Pair("dataset.name", "digits"), Pair("dataset.resize.height", "8"),
                          Pair("dataset.resize.width", "8"), Pair("dataset.train", "600"),
                          Pair("heuristics.hog", "bins=9, cell=4; bins=9, cell=8"),
                          Pair("heuristics.lbp", "as it is"), Pair("booster.name", "adaboost.mh"),
                          Pair("weak.name", "stump"), Pair("sampler.name", "laminating"),
                          Pair("sampler.budget", "10"), Pair("isolation", "process"), Pair("patience", "3")));
}

TEST(FlatSettings, AllHeuristicsAreAWord) {
  EXPECT_THAT(flat("dataset: digits\nheuristics: all\nseed: 1\n"),
              ElementsAre(Pair("dataset.name", "digits"), Pair("heuristics", "all"),
                          Pair("booster.name", "adaboost.mh"), Pair("weak.name", "stump"),
                          Pair("sampler.name", "laminating")));
}

}  // namespace
}  // namespace mash
