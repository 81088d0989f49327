// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/loop/training_side.hpp"

#include <gmock/gmock.h>

#include "tests/support/world.hpp"

namespace mash {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

TEST(TrainingSide, WeighsExamplesByFactors) {
  const Dataset dataset = testing::numbered_images({0, 1, 1}, {}, 2);
  const Workers workers(1);
  SignedWeights weights = WholeTrainingSide(InitialWeights::kUniform).start(dataset, workers);
  weigh(std::vector<double>{1, 0, 3}, workers, weights);
  EXPECT_THAT(weights.example_weights(), ElementsAre(DoubleEq(0.25), 0, DoubleEq(0.75)));
  EXPECT_THAT(weights.row(2), ElementsAre(DoubleEq(-0.375), DoubleEq(0.375)));
  EXPECT_DOUBLE_EQ(weights.total(), 1);
}

TEST(TrainingSide, LeavesOutWhatHasTheFactorNothing) {
  const Dataset dataset = testing::numbered_images({0, 1, 1, 0}, {}, 2);
  const Workers workers(1);
  for (const InitialWeights init : {InitialWeights::kUniform, InitialWeights::kBalanced}) {
    SignedWeights weighed = WholeTrainingSide(init).start(dataset, workers), left_out = weighed;
    weigh(std::vector<double>{1, 1, 0, 1}, workers, weighed);
    leave_out(std::vector<std::uint32_t>{2}, workers, left_out);
    for (std::size_t n = 0; n < 4; ++n)
      EXPECT_EQ(weighed.example_weights()[n], left_out.example_weights()[n]);
  }
}

}  // namespace
}  // namespace mash
