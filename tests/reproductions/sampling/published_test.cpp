// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/sampling/published.hpp"

#include <gmock/gmock.h>

#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "framework/reproductions/bandits/published.hpp"

namespace mash {
namespace {

// The tables a second time, taken from the papers independently and laid out as they are printed, so that a
// slip in either copy is found.

// A line of a table: what it is called, and its figures.
struct PrintedLine {
  std::string name;
  std::vector<double> figures;
};

// name: what stands before the first figure.
std::vector<PrintedLine> lines_of(const char* text) {
  std::vector<PrintedLine> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) {
    if (line.empty()) continue;
    const std::size_t end = line.find("  ");
    PrintedLine printed{line.substr(0, end), {}};
    std::istringstream rest(line.substr(end));
    for (double figure = 0; rest >> figure;) printed.figures.push_back(figure);
    lines.push_back(std::move(printed));
  }
  return lines;
}

// Dubout & Fleuret 2014: loss and test error after 10, 100, 1000 and 10 000 steps; * where the paper tunes.
// clang-format off
constexpr const char* kTable1 = R"(
Best family*     -0.43  36.48  -0.95   5.77  -1.84   1.47  -4.84   0.92
Uniform Naive    -0.38   45.3  -0.85   7.79  -1.74   1.64  -5.37   0.93
Uniform 1.Q      -0.36   49.4  -0.75   10.8  -1.51   2.18  -3.90   1.08
Uniform Q.1      -0.38   43.0  -0.86   7.40  -1.72   1.71  -5.06   0.97
UCB*             -0.40   41.9  -0.79   9.67  -1.64   1.86  -5.54   0.94
Exp3.P*          -0.36   47.9  -0.77   10.3  -1.66   1.79  -5.42   0.92
ε-greedy*        -0.37   45.9  -0.88   7.04  -1.78   1.57  -5.45   0.88
Tasting 1.Q      -0.43   36.1  -0.96   5.38  -1.91   1.41  -5.90   0.92
Tasting Q.1      -0.44   34.8  -0.97   5.31  -1.91   1.36  -5.91   0.94
M.A.S. Naive     -0.51   26.3  -1.01   4.78  -1.80   1.54  -5.06   0.96
M.A.S. 1.Q       -0.48   29.9  -0.98   5.21  -1.74   1.63  -4.15   1.04
M.A.S. Q.1       -0.43   35.7  -0.98   5.21  -1.78   1.68  -4.51   1.01
Laminating       -0.55   21.9  -1.10   3.85  -2.00   1.35  -5.87   0.96
)";
constexpr const char* kTable2 = R"(
Best family*     -0.34   12.2  -0.93   3.29  -3.72   1.20  -26.9   1.00
Uniform Naive    -0.31   13.4  -0.86   4.87  -3.92   1.27  -31.9   0.53
Uniform 1.Q      -0.30   14.2  -0.95   3.99  -4.26   0.89  -34.3   0.37
Uniform Q.1      -0.30   14.0  -1.01   3.92  -4.86   0.69  -40.0   0.33
UCB*             -0.35   12.1  -1.08   3.17  -5.47   0.61  -49.3   0.30
Exp3.P*          -0.31   13.6  -0.91   4.09  -4.53   0.79  -44.7   0.32
ε-greedy*        -0.34   12.9  -1.11   2.89  -5.92   0.54  -49.3   0.34
Tasting 1.Q      -0.39   10.9  -1.30   2.14  -6.44   0.49  -54.1   0.30
Tasting Q.1      -0.40   11.2  -1.30   2.33  -6.54   0.57  -55.1   0.32
M.A.S. Naive     -0.46   8.80  -1.50   1.66  -7.23   0.44  -60.4   0.27
M.A.S. 1.Q       -0.41   10.1  -1.45   1.82  -6.87   0.50  -55.9   0.28
M.A.S. Q.1       -0.44   9.43  -1.51   1.65  -6.97   0.42  -57.1   0.27
Laminating       -0.56   6.85  -2.05   1.12  -11.2   0.39  -99.8   0.30
)";
constexpr const char* kTable4 = R"(
Best family      -0.27   73.6  -0.33   57.4  -0.43   44.8  -0.67   40.2
Uniform Naive    -0.26   74.9  -0.34   55.9  -0.48   38.9  -0.93   32.2
Uniform 1.Q      -0.26   76.6  -0.33   57.5  -0.47   39.9  -0.84   31.3
Uniform Q.1      -0.27   74.3  -0.34   53.8  -0.49   37.6  -0.91   30.9
UCB*             -0.27   73.3  -0.34   56.2  -0.49   37.7  -0.90   30.6
Exp3.P*          -0.26   77.2  -0.33   58.0  -0.47   38.9  -0.86   30.3
ε-greedy*        -0.26   75.8  -0.35   53.4  -0.49  37.09  -0.88   30.0
Tasting 1.Q      -0.28   72.6  -0.36   50.9  -0.50   36.2  -0.95   31.7
Tasting Q.1      -0.28   71.8  -0.36   50.9  -0.50   36.3  -0.95   31.5
M.A.S. Naive     -0.28   71.9  -0.35   52.5  -0.49   37.5  -0.91   31.0
M.A.S. 1.Q       -0.28   70.7  -0.35   53.3  -0.45   40.5  -0.63   33.8
M.A.S. Q.1       -0.28   71.4  -0.35   52.7  -0.45   40.4  -0.62   34.1
Laminating       -0.29   67.8  -0.37   49.1  -0.50   36.8  -0.88   31.5
)";

// Busa-Fekete & Kegl 2010, Table 1: smoothed test error, per cent, on MNIST, USPS, pendigit, isolet, letter.
constexpr const char* kBanditTable = R"(
Stump/FULL       7.56  6.28  4.96  4.52 14.57
RANDOM           6.94  6.13  4.57  4.43 14.60
UCB              7.07  6.03  4.63  4.30 14.65
UCBV             7.02  6.08  4.63  4.43 14.77
EXP3.P           6.96  6.08  4.63  4.43 14.62
Product (m)         3     3     2     6    10
FULL             1.26  4.37  1.89  3.86  2.31
RANDOM           1.73  4.58  1.83  3.59  2.25
UCB              1.82  4.43  1.80  3.53  2.25
UCBV             1.85  4.53  1.92  3.53  2.20
EXP3.P           1.70  4.53  1.94  3.40  2.30
Tree (N)           17    15    19     8    38
FULL             1.52  4.87  2.12  3.85  2.48
RANDOM           1.82  5.13  2.06  3.78  3.08
UCB              2.30  4.98  2.09  3.85  3.10
UCBV             3.06  5.18  2.20  3.78  3.08
EXP3.P           1.85  4.93  2.06  3.72  3.02
)";
// clang-format on

struct PaperTable {
  const char* name;
  const char* printed;
};

class PublishedFigures : public ::testing::TestWithParam<PaperTable> {};

TEST_P(PublishedFigures, AreThoseOfThePaper) {
  const auto table = find_published_table(GetParam().name);
  ASSERT_TRUE(table.ok());
  const std::vector<PrintedLine> printed = lines_of(GetParam().printed);
  ASSERT_EQ(printed.size(), 13u);
  ASSERT_EQ((*table)->methods.size(), printed.size());
  for (std::size_t m = 0; m < printed.size(); ++m) {
    const PublishedMethod& method = (*table)->methods[m];
    const auto& [name, figures] = printed[m];
    ASSERT_EQ(figures.size(), 8u) << name;
    EXPECT_EQ(method.name, name.substr(0, name.find('*')));
    // The best family alone of the starred methods needs no setting: its sampler trains them all.
    EXPECT_EQ(!method.tuned_setting.empty(), name.ends_with('*') && method.sampler != "best-family") << name;
    for (std::size_t i = 0; i < kPublishedRounds.size(); ++i) {
      EXPECT_EQ(method.loss_log10[i], figures[2 * i]) << name << " after " << kPublishedRounds[i];
      EXPECT_EQ(method.error[i], figures[2 * i + 1]) << name << " after " << kPublishedRounds[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(DuboutAndFleuret, PublishedFigures,
                         ::testing::Values(PaperTable{"table1", kTable1}, PaperTable{"table2", kTable2},
                                           PaperTable{"table4", kTable4}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(PublishedTables, AreThreeOfThePaper) {
  std::vector<std::string> names;
  for (const PublishedTable& table : published_tables()) names.emplace_back(table.name);
  EXPECT_THAT(names, ::testing::ElementsAre("table1", "table2", "table4"));
  EXPECT_THAT(kPublishedRounds, ::testing::ElementsAre(10, 100, 1000, 10000));
}

// Three blocks of a line for each method; the second and third begin with the sizes of the learner, the first
// begins with its first method.
TEST(PublishedBandits, HaveTheFiguresOfThePaper) {
  const std::vector<PrintedLine> printed = lines_of(kBanditTable);
  ASSERT_EQ(printed.size(), 17u);
  const auto learners = bandit_learners();
  const auto methods = bandit_methods();
  ASSERT_EQ(learners.size(), 3u);
  ASSERT_EQ(methods.size(), 5u);
  ASSERT_EQ(bandit_sets().size(), 5u);
  const std::array<const char*, 3> heads{"Stump/FULL", "Product (m)", "Tree (N)"};
  auto line = printed.begin();
  for (std::size_t learner = 0; learner < learners.size(); ++learner) {
    EXPECT_EQ(line->name, heads[learner]);
    const bool has_sizes = !learners[learner].size_key.empty();
    if (has_sizes) {
      for (std::size_t set = 0; set < 5; ++set) EXPECT_EQ(learners[learner].sizes[set], line->figures[set]);
      ++line;
    }
    for (std::size_t method = 0; method < methods.size(); ++method, ++line) {
      EXPECT_EQ(line->name, method == 0 && !has_sizes ? heads[0] : methods[method].title);
      ASSERT_EQ(line->figures.size(), 5u);
      for (std::size_t set = 0; set < 5; ++set)
        EXPECT_EQ(bandit_cell(learner, method, set).error, line->figures[set])
            << learners[learner].title << ", " << line->name << ", " << bandit_sets()[set].title;
    }
  }
  EXPECT_EQ(line, printed.end());
}

}  // namespace
}  // namespace mash
