// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/pair_machine.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr Kernel kOfProducts{KernelKind::kLinear};
constexpr std::size_t kMegabyte = 1 << 20;

// The worked example: 0 of one class and 2 of the other; w = 1, b = -1.
TEST(PairMachine, OfTwoPointsByHand) {
  const NumberRows rows{1, {}, {2, 0}};
  PairMachine machine({rows, {0, 1}, {1, 1}, kOfProducts, kMegabyte}, {1000, 1000}, 1e-9);
  const Workers workers(1);
  while (!machine.has_ended()) machine.step(workers);
  EXPECT_EQ(machine.dual(), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(machine.coefficients(), (std::vector<double>{0.5, -0.5}));
  EXPECT_EQ(machine.bias(), -1);
  EXPECT_EQ(machine.num_steps(), 1u);
}

TEST(PairMachine, AtTheBoundOfC) {
  const NumberRows rows{1, {}, {2, 0}};
  PairMachine machine({rows, {0, 1}, {1, 1}, kOfProducts, kMegabyte}, {0.25, 4}, 1e-9);
  const Workers workers(1);
  while (!machine.has_ended()) machine.step(workers);
  EXPECT_EQ(machine.dual(), (std::vector<double>{0.25, 0.25}));
  // f = 0.5 x + b is -1 at 0, which is within its bounds.
  EXPECT_EQ(machine.bias(), -1);
}

struct Blobs {
  explicit Blobs(std::uint64_t seed) {
    RandomStream stream(seed, "pair machine");
    for (std::size_t n = 0; n < kFirst + kSecond; ++n) {
      for (int i = 0; i < 3; ++i) rows.values.push_back(float(stream.normal() + (n < kFirst ? 0.7 : -0.7)));
      costs.push_back(stream.uniform(0.1, 2));
    }
  }

  static constexpr std::size_t kFirst = 40, kSecond = 55;
  NumberRows rows{3};
  std::vector<double> costs;
};

double target_of(std::size_t i) { return i < Blobs::kFirst ? 1 : -1; }

// The conditions of Karush, Kuhn & Tucker, and the objective of the primal and the dual.
TEST(PairMachine, EndsAtTheOptimum) {
  const Workers workers(2);
  for (const Kernel& kernel :
       {kOfProducts, Kernel{KernelKind::kRbf, 0.3}, Kernel{KernelKind::kPolynomial, 0.5, 1, 2}})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Blobs blobs(seed);
      constexpr double kTolerance = 1e-6;
      PairMachine machine(
          {blobs.rows, {0, Blobs::kFirst}, {Blobs::kFirst, Blobs::kSecond}, kernel, kMegabyte}, blobs.costs,
          kTolerance);
      while (!machine.has_ended()) machine.step(workers);
      const std::vector<double> dual = machine.dual(), coefficients = machine.coefficients();
      const std::size_t size = dual.size();
      std::vector<double> kernels(size * size);
      kernel_values(kernel, blobs.rows, {0, size}, blobs.rows, {0, size}, kernels.data());
      double sum = 0, square = 0, losses = 0, total = 0;
      for (std::size_t i = 0; i < size; ++i) {
        double f = machine.bias();
        for (std::size_t j = 0; j < size; ++j) f += coefficients[j] * kernels[i * size + j];
        const double margin = target_of(i) * f;
        EXPECT_GE(dual[i], 0);
        EXPECT_LE(dual[i], blobs.costs[i]);
        if (dual[i] == 0) {
          EXPECT_GE(margin, 1 - 1e-4);
        }
        if (dual[i] == blobs.costs[i]) {
          EXPECT_LE(margin, 1 + 1e-4);
        }
        if (dual[i] > 0 && dual[i] < blobs.costs[i]) {
          EXPECT_NEAR(margin, 1, 1e-4);
        }
        sum += coefficients[i];
        square += coefficients[i] * (f - machine.bias());
        losses += blobs.costs[i] * std::max(0.0, 1 - margin);
        total += dual[i];
      }
      EXPECT_NEAR(sum, 0, 1e-9);
      const double primal = square / 2 + losses, found = total - square / 2;
      EXPECT_GE(primal, found - 1e-6);
      EXPECT_NEAR(primal, found, 1e-3 * primal);
    }
}

// Another one takes it up after each step; a small cache and none left make no difference.
TEST(PairMachine, GoesOnWithTheSameBits) {
  const Blobs blobs(9);
  const Kernel kernel{KernelKind::kRbf, 0.5};
  const RowRange first{0, Blobs::kFirst}, second{Blobs::kFirst, Blobs::kSecond};
  PairMachine whole({blobs.rows, first, second, kernel, kMegabyte}, blobs.costs, 1e-6);
  std::vector<double> state;
  while (!whole.has_ended()) {
    whole.step(Workers(1));
    PairMachine part({blobs.rows, first, second, kernel, 1}, blobs.costs, 1e-6);
    if (!state.empty()) {
      StateReader reader(state);
      part.take_back(reader);
      reader.finish();
    }
    part.step(Workers(2));
    part.rest();
    StateWriter writer, expected;
    part.keep(writer);
    whole.keep(expected);
    state = writer.take();
    ASSERT_EQ(state, expected.take()) << whole.num_steps();
  }
  EXPECT_GT(whole.num_steps(), 20u);
}

TEST(KernelCache, KeepsTheRowsThatWereAskedForLast) {
  const Blobs blobs(1);
  const Kernel kernel{KernelKind::kRbf, 0.5};
  const Workers workers(1);
  KernelCache large(blobs.rows, {5, 20}, {50, 10}, kernel, kMegabyte),
      small(blobs.rows, {5, 20}, {50, 10}, kernel, 1);
  RandomStream stream(1, "kernel cache");
  for (int k = 0; k < 200; ++k) {
    const std::size_t i = stream.below(30), j = stream.below(30);
    const auto a = small.row(i, workers), b = small.row(j, workers);  // both are there
    const std::vector<float> first(a.begin(), a.end()), second(b.begin(), b.end());
    const auto c = large.row(i, workers);
    EXPECT_EQ(first, std::vector<float>(c.begin(), c.end()));
    const auto d = large.row(j, workers);
    EXPECT_EQ(second, std::vector<float>(d.begin(), d.end()));
    EXPECT_EQ(a[i], 1) << "k(x, x)";
    EXPECT_EQ(large.diagonal(i), 1);
  }
}

}  // namespace
}  // namespace mash
