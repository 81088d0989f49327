// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/reservoir/orders.hpp"

#include <gmock/gmock.h>

#include "framework/reproductions/reservoir/published.hpp"

namespace mash {
namespace {

// The paper's order in one column of a table, as text.
std::string order_of(std::string_view table, std::size_t set, std::size_t size) {
  const ReservoirTable& found = **find_reservoir_table(table);
  std::vector<double> accuracies;
  for (const ReservoirMethod& method : found.methods) accuracies.push_back(method.figures[set][size].mean);
  std::string text;
  for (const OrderLink& link : published_order(accuracies)) {
    if (text.empty()) text = found.methods[link.better].title;
    text += link.is_alike ? " = " : " > ";
    text += found.methods[link.worse].title;
  }
  return text;
}

TEST(PublishedOrder, IsThatOfThePaperInBothColumns) {
  constexpr std::size_t kMnist = 0, kUsps = 1, kCifar = 2, kInria = 3;
  for (std::size_t size = 0; size < kReservoirSizes; ++size) {
    EXPECT_EQ(order_of("reservoir-table3", kMnist, size), "GEEM = WSam > Rand > Max");
    EXPECT_EQ(order_of("reservoir-table3", kCifar, size), "GEEM > WSam > Rand > Max");
    EXPECT_EQ(order_of("reservoir-table3", kInria, size), "GEEM > Max > WSam > Rand");
    EXPECT_EQ(order_of("reservoir-table3", kUsps, size), "") << "not in the paper";
  }
  EXPECT_EQ(order_of("reservoir-table4", kMnist, 1), "Chen = Oza = GEEM > Bisc");
  EXPECT_EQ(order_of("reservoir-table4", kCifar, 1), "GEEM > Oza > Chen > Bisc");
  EXPECT_EQ(order_of("reservoir-table4", kInria, 1), "GEEM > Chen = Oza > Bisc");
  EXPECT_EQ(order_of("reservoir-table4", kInria, 0), "") << "that table has r = 250 alone";
  EXPECT_EQ(order_of("reservoir-table5", kMnist, 0), "Fix = GEEM = WSS > Mada");
  EXPECT_EQ(order_of("reservoir-table5", kMnist, 1), "Fix > WSS = GEEM > Mada");
  EXPECT_EQ(order_of("reservoir-table5", kCifar, 1), "GEEM > Fix = WSS > Mada");
}

TEST(PublishedOrder, LeavesOutWhatHasNoFigure) {
  EXPECT_TRUE(published_order(std::vector<double>{0, 80, 0}).empty());
  const auto links = published_order(std::vector<double>{80, 0, 81, 80});
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].better, 2u);
  EXPECT_EQ(links[0].worse, 0u) << "of equal ones the first";
  EXPECT_FALSE(links[0].is_alike) << "one point is a difference";
  EXPECT_TRUE(links[1].is_alike);
}

// Differences 1, 2, 3: mean 2, standard deviation 1, so the interval is 4.302653 / sqrt(3) either way.
TEST(CompareAccuracies, PairsTheSeeds) {
  const std::vector<double> a{71, 82, 93}, b{70, 80, 90};
  const PairedAccuracies pair = compare_accuracies(a, b);
  EXPECT_NEAR(pair.difference.mean, 2, 1e-12);
  ASSERT_TRUE(pair.difference.half_width);
  EXPECT_NEAR(*pair.difference.half_width, 2.484138, 1e-5);
  EXPECT_EQ(pair.num_more, 3u);
  EXPECT_EQ(pair.num_less, 0u);
  EXPECT_NEAR(pair.sign_p, .25, 1e-12) << "2 / 2^3";
}

TEST(CompareAccuracies, HasNoIntervalWithoutSpread) {
  EXPECT_FALSE(compare_accuracies(std::vector<double>{71}, std::vector<double>{70}).difference.half_width);
  const std::vector<double> a{71, 72, 73}, b{70, 71, 72};
  const PairedAccuracies alike = compare_accuracies(a, b);
  EXPECT_NEAR(alike.difference.mean, 1, 1e-12);
  EXPECT_FALSE(alike.difference.half_width) << "three seeds may differ alike by chance";
  EXPECT_EQ(verdict_of({0, 1, false}, alike.difference), Verdict::kUndecided);
}

TEST(Verdicts, AskTheWholeInterval) {
  const OrderLink more{0, 1, false}, alike{0, 1, true};
  EXPECT_EQ(verdict_of(more, {2, 1.9}), Verdict::kHeld);
  EXPECT_EQ(verdict_of(more, {2, 2.1}), Verdict::kUndecided);
  EXPECT_EQ(verdict_of(more, {-2, 2.1}), Verdict::kUndecided);
  EXPECT_EQ(verdict_of(more, {-2, 1.9}), Verdict::kRefuted);
  EXPECT_EQ(verdict_of(alike, {-.5, .4}), Verdict::kHeld);
  EXPECT_EQ(verdict_of(alike, {.5, .6}), Verdict::kUndecided);
  EXPECT_EQ(verdict_of(alike, {-2, .9}), Verdict::kRefuted);
  EXPECT_EQ(verdict_of(alike, {0, std::nullopt}), Verdict::kUndecided);
  EXPECT_EQ(verdict_within({-3.5, .4}, 4), Verdict::kHeld);
  EXPECT_EQ(verdict_within({-3.5, .6}, 4), Verdict::kUndecided);
  EXPECT_EQ(verdict_within({-5, .6}, 4), Verdict::kRefuted);
}

TEST(Verdicts, OfAnOrderAreThoseOfItsLinks) {
  using enum Verdict;
  EXPECT_EQ(verdict_of_all(std::vector{kHeld, kHeld}), kHeld);
  EXPECT_EQ(verdict_of_all(std::vector{kHeld, kUndecided}), kUndecided);
  EXPECT_EQ(verdict_of_all(std::vector{kUndecided, kRefuted, kHeld}), kRefuted);
}

TEST(PublishedReservoir, HasTheFiguresOfThePaper) {
  double sum = 0, sds = 0;
  for (const char* name : {"reservoir-table3", "reservoir-table4", "reservoir-table5"})
    for (const ReservoirMethod& method : (*find_reservoir_table(name))->methods)
      for (const auto& of_set : method.figures)
        for (const PublishedAccuracy& figure : of_set) {
          sum += figure.mean;
          sds += figure.sd;
        }
  EXPECT_NEAR(sum, 4487.54, 1e-9);
  EXPECT_NEAR(sds, 26.16, 1e-9);
  EXPECT_FALSE(find_reservoir_table("reservoir-table9").ok());
}

}  // namespace
}  // namespace mash
