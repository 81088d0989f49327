// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/reporting/compare_sides.hpp"

#include <gmock/gmock.h>

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(FlatSettings, HaveTheirSectionInFront) {
  const auto settings = flat_settings(R"(dataset: {name: digits, train: 600}
heuristics:
  - {id: hog, cell: 4}
  - {id: hog, cell: 8}
  - {id: lbp}
sampler: {name: laminating, budget: 10}
isolation: process
seed: 7
runs: 3
)",
                                      "run 1");
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  EXPECT_THAT(*settings, ElementsAre(Pair("dataset.name", "digits"), Pair("dataset.train", "600"),
                                     Pair("heuristics.hog", "cell=4; cell=8"),
                                     Pair("heuristics.lbp", "as it is"), Pair("sampler.name", "laminating"),
                                     Pair("sampler.budget", "10"), Pair("isolation", "process")));
}

TEST(FlatSettings, AllHeuristicsAreAWord) {
  const auto settings = flat_settings("heuristics: all\nseed: 1\n", "run 1");
  ASSERT_TRUE(settings.ok());
  EXPECT_THAT(*settings, ElementsAre(Pair("heuristics", "all")));
}

TEST(FlatSettings, WhatIsNoYamlIsAnError) { EXPECT_FALSE(flat_settings("a: [", "run 1").ok()); }

}  // namespace
}  // namespace mash
