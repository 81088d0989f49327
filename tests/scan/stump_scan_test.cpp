// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/stump_scan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "framework/base/instruction_set.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::learnable_table;
using testing::World;

std::vector<std::uint32_t> all_features(const FeatureSet& features) {
  std::vector<std::uint32_t> list(features.num_features());
  std::iota(list.begin(), list.end(), 0u);
  return list;
}

// Weights as they are some rounds on: positive, spread over a few powers of ten, sum 1.
SignedWeights spread_weights(const World& world) {
  SignedWeights weights(world.dataset.train.labels, world.dataset.num_classes());
  initialise(InitialWeights::kBalanced, world.workers, weights);
  RandomStream stream(5, "test.spread");
  for (double& g : weights.all()) g *= std::exp(1.5 * stream.normal());
  weights.normalise(world.workers);
  return weights;
}

// Every row with an even number, drawn once, and every sixth once more.
ExampleDraw half_of(std::size_t num_examples) {
  ExampleDraw draw;
  for (std::uint32_t n = 0; n < num_examples; n += 2) {
    draw.rows.push_back(n);
    draw.counts.push_back(n % 6 == 0 ? 2 : 1);
    draw.num_draws += draw.counts.back();
  }
  return draw;
}

// The edge of the best cut of a feature on drawn examples, from values and the definition of the sampled
// weights.
double sampled_edge(const World& world, const SignedWeights& weights, std::uint32_t feature,
                    const ExampleDraw& draw) {
  const std::size_t num_classes = weights.num_classes(), num_columns = world.dataset.column_names.size();
  std::vector<float> values;
  std::vector<double> signed_weights;
  for (std::size_t r = 0; r < draw.rows.size(); ++r) {
    const std::uint32_t n = draw.rows[r];
    values.push_back(world.dataset.train.values[n * num_columns + feature]);
    for (std::size_t l = 0; l < num_classes; ++l)
      signed_weights.push_back(draw.counts[r] * weights.row(n)[l] /
                               (draw.num_draws * weights.example_weights()[n]));
  }
  return hamming_criterion()
      .best_cut_of_values(sort_column(values), signed_weights, sum_of_rows(signed_weights, num_classes))
      .edge;
}

// gamma of a fit, from the raw values.
double edge_on_values(const World& world, const SignedWeights& weights, const StumpFit& fit) {
  double edge = 0;
  for (std::size_t n = 0; n < weights.num_examples(); ++n) {
    const float x = world.dataset.train.values[n * world.dataset.column_names.size() + fit.feature];
    const int phi = fit.threshold == kConstant || x >= fit.threshold ? 1 : -1;
    EXPECT_EQ(fit.above[n], phi > 0);
    for (std::size_t l = 0; l < weights.num_classes(); ++l)
      edge += weights.row(n)[l] * fit.votes_above()[l] * phi;
  }
  return edge;
}

class ScanOfMode : public ::testing::TestWithParam<ScanMode> {
 protected:
  World world{learnable_table(1500, 12, 5, 1), 1, true};
  SignedWeights weights = spread_weights(world);
};

TEST_P(ScanOfMode, RefitEdgeIsThatOfTheThresholdOnRawValues) {
  StumpScan scan(world.features(), weights, {GetParam(), Cuts::kCodes}, world.workers);
  scan.new_round(1, 1);
  for (const std::uint32_t feature : all_features(world.features())) {
    const StumpFit fit = scan.refit(feature);
    EXPECT_GE(fit.edge, 0);
    EXPECT_NEAR(fit.edge, edge_on_values(world, weights, fit), 1e-12);
  }
}

TEST_P(ScanOfMode, EdgesAreThoseOfTheReference) {
  StumpScan scan(world.features(), weights, {GetParam(), Cuts::kCodes}, world.workers);
  StumpScan reference(world.features(), weights, {ScanMode::kF64, Cuts::kCodes}, world.workers);
  scan.new_round(1, 1);
  reference.new_round(1, 1);
  const double tolerance = GetParam() == ScanMode::kF64 ? 1e-12 : GetParam() == ScanMode::kI16 ? 2e-3 : 0.03;
  const auto features = all_features(world.features());
  const auto found = scan.evaluate(features), expected = reference.evaluate(features);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].feature, features[i]);
    EXPECT_NEAR(found[i].edge, expected[i].edge, tolerance);
    EXPECT_NEAR(expected[i].edge, scan.refit(features[i]).edge, 1e-12);
  }
}

TEST_P(ScanOfMode, DrawnExamplesCountWithTheirDefinedWeights) {
  StumpScan scan(world.features(), weights, {GetParam(), Cuts::kCodes}, world.workers);
  scan.new_round(1, 1);
  const ExampleDraw draw = half_of(weights.num_examples());
  const double tolerance = GetParam() == ScanMode::kF64 ? 1e-12 : GetParam() == ScanMode::kI16 ? 2e-3 : 0.03;
  // No feature has more than 256 distinct values here, so that codes cut where values do.
  for (const Candidate& candidate : scan.evaluate(all_features(world.features()), draw))
    EXPECT_NEAR(candidate.edge, sampled_edge(world, weights, candidate.feature, draw), tolerance)
        << candidate.feature;
}

// Some rows of a world as a world of its own.
Dataset part_of(const Dataset& dataset, const std::vector<std::uint32_t>& rows) {
  const std::size_t num_columns = dataset.column_names.size();
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  for (const std::uint32_t n : rows) {
    values.insert(values.end(), &dataset.train.values[n * num_columns],
                  &dataset.train.values[(n + 1) * num_columns]);
    labels.push_back(dataset.train.labels[n]);
  }
  return testing::table(values, labels, dataset.num_classes());
}

TEST_P(ScanOfMode, InFocusItSeesThoseExamplesAlone) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t n = 1; n < weights.num_examples(); n += 1 + n % 4) rows.push_back(n);
  World part(part_of(world.dataset, rows));
  SignedWeights focused(part.dataset.train.labels, weights.num_classes());
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::copy_n(weights.row(rows[r]).data(), weights.num_classes(), focused.row(r).data());
  const double share = focused.normalise(world.workers);

  for (const Cuts cuts : {Cuts::kCodes, Cuts::kExact}) {
    StumpScan scan(world.features(), weights, {GetParam(), cuts}, world.workers);
    scan.new_round(1, 1);
    const auto before = scan.evaluate(all_features(world.features()));
    scan.focus({rows, share});
    EXPECT_EQ(scan.weights().share(), share);
    EXPECT_EQ(scan.weights().num_examples(), rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r)
      EXPECT_NEAR(scan.weights().example_weights()[r], focused.example_weights()[r], 1e-15);
    const double tolerance = GetParam() == ScanMode::kF64 || cuts == Cuts::kExact ? 1e-12
                             : GetParam() == ScanMode::kI16                       ? 2e-3
                                                                                  : 0.05;
    const ExampleDraw draw = half_of(rows.size());
    const auto all = scan.evaluate(all_features(world.features())),
               drawn = scan.evaluate(all_features(world.features()), draw);
    const std::uint64_t ue = scan.ledger().meters().ue;
    const std::vector<StumpFit> fits = scan.refit(all_features(world.features()));
    EXPECT_EQ(scan.ledger().meters().ue - ue, fits.size() * rows.size());
    for (const std::uint32_t feature : all_features(world.features())) {
      const StumpFit fit = scan.refit(feature);
      EXPECT_EQ(fits[feature].feature, feature);
      EXPECT_EQ(fits[feature].edge, fit.edge) << "together as by itself";
      EXPECT_EQ(fits[feature].threshold, fit.threshold);
      EXPECT_EQ(fits[feature].cell_votes, fit.cell_votes);
      EXPECT_EQ(fits[feature].above, fit.above);
      EXPECT_NEAR(fit.edge, edge_on_values(part, focused, fit), 1e-12);
      EXPECT_NEAR(all[feature].edge, fit.edge, tolerance);
      EXPECT_NEAR(drawn[feature].edge, sampled_edge(part, focused, feature, draw), tolerance);
    }
    scan.end_focus();
    const auto after = scan.evaluate(all_features(world.features()));
    for (std::size_t i = 0; i < after.size(); ++i) EXPECT_EQ(after[i].edge, before[i].edge);
  }
}

TEST_P(ScanOfMode, NumberOfThreadsDoesNotMatter) {
  const ExampleDraw draw = half_of(weights.num_examples());
  std::vector<Candidate> all, drawn;
  std::vector<StumpFit> fits;
  for (const int num_threads : {1, 2, 3, 8}) {
    const Workers workers(num_threads);
    StumpScan scan(world.features(), weights, {GetParam(), Cuts::kCodes}, workers);
    scan.new_round(3, 9);
    const auto features = all_features(world.features());
    const auto on_all = scan.evaluate(features), on_drawn = scan.evaluate(features, draw);
    if (num_threads == 1) {
      all = on_all;
      drawn = on_drawn;
    }
    for (std::size_t i = 0; i < features.size(); ++i) {
      EXPECT_EQ(on_all[i].edge, all[i].edge) << num_threads;
      EXPECT_EQ(on_drawn[i].edge, drawn[i].edge) << num_threads;
      const StumpFit fit = scan.refit(features[i]);
      if (num_threads == 1) fits.push_back(fit);
      EXPECT_EQ(fit.edge, fits[i].edge);
      EXPECT_EQ(fit.threshold, fits[i].threshold);
      EXPECT_EQ(fit.cell_votes, fits[i].cell_votes);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, ScanOfMode, ::testing::Values(ScanMode::kI16, ScanMode::kI8, ScanMode::kF64),
                         [](const auto& info) {
                           return info.param == ScanMode::kI16  ? "i16"
                                  : info.param == ScanMode::kI8 ? "i8"
                                                                : "f64";
                         });

class Scan : public ::testing::Test {
 protected:
  World world{learnable_table(1500, 12, 5, 1), 1, true};
  SignedWeights weights = spread_weights(world);
};

TEST_F(Scan, EveryInstructionSetGivesTheSameEdges) {
  const ExampleDraw draw = half_of(weights.num_examples());
  const auto features = all_features(world.features());
  for (const ScanMode mode : {ScanMode::kI16, ScanMode::kI8}) {
    std::vector<Candidate> expected;
    for (const char* target : instruction_sets()) {
      ASSERT_TRUE(choose_instruction_set(target));
      StumpScan scan(world.features(), weights, {mode, Cuts::kCodes}, world.workers);
      scan.new_round(1, 1);
      auto found = scan.evaluate(features);
      const auto drawn = scan.evaluate(features, draw);
      found.insert(found.end(), drawn.begin(), drawn.end());
      if (expected.empty()) expected = found;
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].edge, expected[i].edge) << target;
    }
    choose_instruction_set("");
  }
}

// More classes than a strip has lanes, more rows than one task rounds.
TEST(ScanOfManyClasses, RoundsEveryStripAndTaskIntoItsPlace) {
  for (const int num_threads : {1, 2}) {
    World world(learnable_table(5000, 6, 26, 1), num_threads);
    const SignedWeights weights = spread_weights(world);
    const ExampleDraw draw = half_of(weights.num_examples());
    const auto edges = [&](ScanMode mode) {
      StumpScan scan(world.features(), weights, {mode, Cuts::kCodes}, world.workers);
      scan.new_round(1, 1);
      auto found = scan.evaluate(all_features(world.features()));
      const auto drawn = scan.evaluate(all_features(world.features()), draw);
      found.insert(found.end(), drawn.begin(), drawn.end());
      return found;
    };
    const auto exact = edges(ScanMode::kF64);
    for (const auto& [mode, tolerance] : {std::pair(ScanMode::kI16, 0.003), std::pair(ScanMode::kI8, 0.03)}) {
      const auto rounded = edges(mode);
      for (std::size_t i = 0; i < exact.size(); ++i)
        EXPECT_NEAR(rounded[i].edge, exact[i].edge, tolerance) << int(mode) << ", " << i;
    }
  }
}

TEST_F(Scan, ExtendingCountsOnlyTheExamplesThatAreNew) {
  StumpScan scan(world.features(), weights, {}, world.workers);
  scan.new_round(1, 1);
  const auto cost_of = [&](const auto& look) {
    const std::uint64_t before = scan.ledger().meters().fe, ops = scan.ledger().meters().ops;
    const std::vector<Candidate> found = look();
    const std::uint64_t cost = scan.ledger().meters().fe - before;
    EXPECT_GT(scan.ledger().meters().ops, ops) << "every addition is metered";
    std::uint64_t evaluated = 0;
    for (const FamilyLooks& looks : scan.ledger().looks()) evaluated += looks.evaluated;
    EXPECT_EQ(evaluated, scan.ledger().meters().fe);
    return std::pair(cost, found);
  };
  const auto drawn = [&](const ExampleDraw& examples) -> const DrawnRows& {
    return scan.draw(1, [&](std::size_t) { return examples; })[0];
  };
  const ExampleDraw draw = half_of(1500);
  ExampleDraw fewer = draw, others;
  fewer.rows.resize(100), fewer.counts.resize(100);
  fewer.num_draws = std::accumulate(fewer.counts.begin(), fewer.counts.end(), 0.0);
  others.rows = {1, 3, 5}, others.counts = {1, 1, 1}, others.num_draws = 3;
  const std::vector<std::uint32_t> six{0, 2, 4, 6, 8, 10}, three{2, 4, 10}, strange{2, 3};

  EXPECT_EQ(cost_of([&] { return scan.extend(six, drawn(fewer)); }).first, 600u) << "nothing was seen before";
  const auto [cost, found] = cost_of([&] { return scan.extend(three, drawn(draw)); });
  EXPECT_EQ(cost, 3u * 650);
  const auto anew = scan.evaluate(three, draw);
  for (std::size_t i = 0; i < three.size(); ++i) EXPECT_EQ(found[i].edge, anew[i].edge);
  EXPECT_EQ(cost_of([&] { return scan.extend(three, {}); }).first, 3u * 750) << "to all examples";
  EXPECT_EQ(cost_of([&] { return scan.extend(three, {}); }).first, 0u);
  // Examples that were not seen before are counted whole.
  EXPECT_EQ(cost_of([&] { return scan.extend(three, drawn(draw)); }).first, 3u * 750) << "fewer examples";
  EXPECT_EQ(cost_of([&] { return scan.extend(three, drawn(others)); }).first, 3u * 3) << "other examples";
  EXPECT_EQ(cost_of([&] { return scan.extend(strange, {}); }).first, 2u * 1500) << "another feature";
  scan.evaluate(six, draw, Charge::kStock);
  EXPECT_EQ(cost_of([&] { return scan.extend(three, {}); }).first, 3u * 1500) << "a stock was not paid for";
  scan.new_round(1, 2);
  EXPECT_EQ(cost_of([&] { return scan.extend(three, {}); }).first, 3u * 1500) << "another round";
}

// Draws of a whole task, of one row more, of fewer, and of no rows, which stands for all; then fewer draws in
// the same buffers.
TEST(ScanOfDraws, MadeTogetherAreAsEachAlone) {
  const World many(learnable_table(6000, 12, 4, 1));
  const SignedWeights spread = spread_weights(many);
  constexpr std::size_t kTask = WeighedRows::kRowsPerTask;
  for (const ScanMode mode : {ScanMode::kI16, ScanMode::kI8, ScanMode::kF64})
    for (const int num_threads : {1, 2, 3, 8}) {
      const Workers workers(num_threads);
      StumpScan scan(many.features(), spread, {mode, Cuts::kCodes}, workers);
      scan.new_round(1, 1);
      for (const std::vector<std::size_t>& sizes :
           {std::vector<std::size_t>{100, 2 * kTask, 2 * kTask + 2, 6000, 0}, {50, 300}}) {
        const auto draw_of = [&](std::size_t i) { return half_of(sizes[i]); };
        const auto drawn = scan.draw(sizes.size(), draw_of);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
          const auto together = scan.evaluate(all_features(many.features()), drawn[i]);
          const auto alone = scan.evaluate(all_features(many.features()), draw_of(i));
          for (std::size_t j = 0; j < alone.size(); ++j)
            ASSERT_EQ(together[j].edge, alone[j].edge)
                << int(mode) << ", " << num_threads << ", " << sizes[i];
        }
      }
    }
}

TEST_F(Scan, EightBitRoundingDependsOnSeedAndRoundAlone) {
  StumpScan scan(world.features(), weights, {ScanMode::kI8, Cuts::kCodes}, world.workers);
  const auto edge = [&](std::uint64_t seed, std::uint32_t round) {
    scan.new_round(seed, round);
    return scan.evaluate(std::vector<std::uint32_t>{3, 4}).front().edge;  // one alone is not rounded
  };
  const double first = edge(1, 1);
  EXPECT_NE(edge(1, 2), first);
  EXPECT_NE(edge(2, 1), first);
  EXPECT_EQ(edge(1, 1), first);
}

TEST_F(Scan, EightBitRoundingIsRightOnAverage) {
  StumpScan scan(world.features(), weights, {ScanMode::kI8, Cuts::kCodes}, world.workers);
  scan.new_round(1, 0);
  const std::uint32_t feature = 0;
  const double exact = scan.refit(feature).edge;
  double sum = 0, squares = 0;
  constexpr int kRounds = 400;
  for (std::uint32_t round = 1; round <= kRounds; ++round) {
    scan.new_round(1, round);
    // One alone would not be rounded.
    const double error = scan.evaluate(std::vector<std::uint32_t>{feature, 1}).front().edge - exact;
    sum += error;
    squares += error * error;
  }
  const double mean = sum / kRounds, noise = std::sqrt(squares / kRounds);
  // The largest of several noisy cuts is at least the best cut with its noise, which averages to nothing.
  EXPECT_GT(mean, -3 * noise / std::sqrt(kRounds));
  EXPECT_LT(mean, noise / 2);
  EXPECT_LT(noise, 0.01);
}

TEST_F(Scan, AFeatureAloneIsMeasuredAsItIsRefitted) {
  StumpScan scan(world.features(), weights, {ScanMode::kI8, Cuts::kCodes}, world.workers);
  scan.new_round(1, 1);
  for (const std::uint32_t feature : all_features(world.features())) {
    const double edge = scan.evaluate({&feature, 1}).front().edge;
    const StumpFit kept = scan.refit(feature), again = scan.refit(feature);
    EXPECT_EQ(edge, kept.edge);
    EXPECT_EQ(kept.threshold, again.threshold);
    EXPECT_EQ(kept.cell_votes, again.cell_votes);
    EXPECT_EQ(kept.above, again.above);
  }
  EXPECT_EQ(scan.ledger().meters().ue, 2 * world.features().num_features() * weights.num_examples());
}

TEST_F(Scan, NewRoundSeesChangedWeights) {
  StumpScan scan(world.features(), weights, {}, world.workers);
  const std::uint32_t feature = 0;
  scan.new_round(1, 1);
  const double before = scan.evaluate({&feature, 1}).front().edge;
  for (std::size_t n = 0; n < weights.num_examples(); n += 2)
    for (double& g : weights.row(n)) g *= 20;
  weights.normalise(world.workers);
  scan.new_round(1, 2);
  const double after = scan.evaluate({&feature, 1}).front().edge;
  EXPECT_NE(before, after);
  EXPECT_NEAR(after, scan.refit(feature).edge, 2e-3);
}

TEST_F(Scan, ExactCutsAreAtLeastAsGoodAsCodes) {
  // 1500 different values: more than there are codes.
  RandomStream stream(1, "test.values");
  std::vector<float> values;
  for (int i = 0; i < 1500; ++i) values.push_back(float(stream.normal()));
  World many(testing::table(values, world.dataset.train.labels, 5, {1, 2}, {0, 1}), 1, true);
  StumpScan exact(many.features(), weights, {ScanMode::kF64, Cuts::kExact}, many.workers);
  StumpScan codes(many.features(), weights, {ScanMode::kF64, Cuts::kCodes}, many.workers);
  exact.new_round(1, 1);
  codes.new_round(1, 1);
  const StumpFit fit = exact.refit(0);
  EXPECT_GE(fit.edge, codes.refit(0).edge);
  EXPECT_NEAR(fit.edge, edge_on_values(many, weights, fit), 1e-12);
  const std::uint32_t feature = 0;
  EXPECT_NEAR(exact.evaluate({&feature, 1}).front().edge, fit.edge, 1e-12);
  const ExampleDraw draw = half_of(1500);
  EXPECT_NEAR(exact.evaluate({&feature, 1}, draw).front().edge, sampled_edge(many, weights, 0, draw), 1e-12);
}

TEST_F(Scan, ExactCutsFollowTheWeights) {
  StumpScan scan(world.features(), weights, {ScanMode::kF64, Cuts::kExact}, world.workers);
  for (std::uint32_t round = 1; round <= 3; ++round) {
    scan.new_round(1, round);
    for (const std::uint32_t feature : all_features(world.features())) {
      const StumpFit fit = scan.refit(feature);
      EXPECT_NEAR(fit.edge, edge_on_values(world, weights, fit), 1e-12) << round;
      EXPECT_NEAR(scan.evaluate({&feature, 1}).front().edge, fit.edge, 1e-12) << round;
    }
    for (std::size_t n = round; n < weights.num_examples(); n += 2)
      for (double& g : weights.row(n)) g *= 20;
    weights.normalise(world.workers);
  }
}

TEST_F(Scan, ExactCutsEqualCodesWhereEveryValueHasACode) {
  StumpScan exact(world.features(), weights, {ScanMode::kF64, Cuts::kExact}, world.workers);
  StumpScan codes(world.features(), weights, {ScanMode::kF64, Cuts::kCodes}, world.workers);
  exact.new_round(1, 1);
  codes.new_round(1, 1);
  for (const std::uint32_t feature : all_features(world.features())) {
    const StumpFit a = exact.refit(feature), b = codes.refit(feature);
    EXPECT_NEAR(a.edge, b.edge, 1e-12);
    EXPECT_EQ(a.threshold, b.threshold);
    EXPECT_EQ(a.cell_votes, b.cell_votes);
    EXPECT_EQ(a.above, b.above);
  }
}

TEST_F(Scan, CountsEveryEvaluationOnce) {
  StumpScan scan(world.features(), weights, {}, world.workers);
  scan.new_round(1, 1);
  const std::vector<std::uint32_t> features{1, 4, 5};
  scan.evaluate(features);
  EXPECT_EQ(scan.ledger().meters().fe, 3u * 1500);
  EXPECT_EQ(scan.ledger().meters().ops, 3u * 1500 * 5);
  EXPECT_EQ(scan.ledger().meters().ue, 0u);
  EXPECT_EQ(scan.ledger().looks()[0].evaluated, 3u * 1500);
  EXPECT_EQ(scan.ledger().looks()[0].offered, 0u);

  const ExampleDraw draw = half_of(1500);  // 750 distinct rows, 1000 draws
  scan.evaluate(features, draw);
  EXPECT_EQ(scan.ledger().meters().fe, 3u * (1500 + 750));

  scan.evaluate(features, {}, Charge::kStock);
  EXPECT_EQ(scan.ledger().meters().fe, 3u * (1500 + 750)) << "a stock is not part of the cost";
  EXPECT_EQ(scan.ledger().meters().ops, 3u * (1500 + 750 + 1500) * 5) << "but its additions are counted";

  scan.ledger().offer(features);
  EXPECT_EQ(scan.ledger().looks()[0].offered, 3u);
  scan.refit(1);
  EXPECT_EQ(scan.ledger().meters().ue, 1500u);
  EXPECT_EQ(scan.ledger().meters().fe, 3u * (1500 + 750));
}

// Features that are computed on demand, by threads that are scanning others meanwhile.
TEST(ScanOfLazyFamily, EqualsTheStoredOneForAnyNumberOfThreads) {
  const auto value = [](std::uint32_t n, std::uint32_t j) {
    return float((n * (2 * j + 3) + n / 7) % (30 + j));
  };
  World world(testing::numbered_images(testing::random_labels(1200, 3, 1), {}, 3), {{"wide", 300, value}});
  const SignedWeights weights = spread_weights(world);
  const ExampleDraw draw = half_of(1200);
  const auto features = all_features(world.features());
  StumpScan stored(world.features(), weights, {}, world.workers);
  stored.new_round(1, 1);
  const auto expected = stored.evaluate(features, draw);
  world.store.limit = 0;
  for (const int num_threads : {1, 2, 3, 8}) {
    const Workers workers(num_threads);
    const auto lazy =
        FeatureSet::open(world.specs, world.store,
                         {world.host, world.dataset, {workers, no_progress(), no_remarks(), world.stop}});
    ASSERT_TRUE(lazy.ok());
    StumpScan scan(*lazy, weights, {}, workers);
    scan.new_round(1, 1);
    const auto found = scan.evaluate(features, draw);
    for (std::size_t i = 0; i < features.size(); ++i)
      ASSERT_EQ(found[i].edge, expected[i].edge) << num_threads << ", " << i;
  }
}

}  // namespace
}  // namespace mash
