// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/published_bandits.hpp"

namespace mash {
namespace {

constexpr std::array kSets{
    BanditSet{"mnist", "MNIST"},
    BanditSet{"usps", "USPS"},
    BanditSet{"pendigits", "UCI pendigit"},
    BanditSet{"isolet", "UCI isolet"},
    BanditSet{"letter", "UCI letter"},
};

constexpr std::array kLearners{
    BanditLearner{"stump", "stump", "", {}, "", ""},
    BanditLearner{"product", "product of m stumps", "terms", {3, 3, 2, 6, 10}, "", ""},
    BanditLearner{"tree", "tree of N leaves", "leaves", {17, 15, 19, 8, 38}, "votes", "factorised"},
};

constexpr std::array kMethods{
    BanditMethod{"full", "FULL", "full"},       BanditMethod{"random", "RANDOM", "lazyboost"},
    BanditMethod{"ucb", "UCB", "ucb"},          BanditMethod{"ucbv", "UCBV", "ucbv"},
    BanditMethod{"exp3.p", "EXP3.P", "exp3.p"},
};

using Row = std::array<BanditCell, kSets.size()>;
using Block = std::array<Row, kMethods.size()>;

// Per weak learner a row for each method, in it a cell {error, T} for each data set, in the orders above.
constexpr std::array<Block, kLearners.size()> kCells{{
    // clang-format off
    {{  // stump
      {{{7.56, 5000}, {6.28, 5000}, {4.96, 11196}, {4.52, 5000}, {14.57, 14489}}},
      {{{6.94, 30000}, {6.13, 10273}, {4.57, 9770}, {4.43, 8815}, {14.60, 8314}}},
      {{{7.07, 30000}, {6.03, 9859}, {4.63, 8138}, {4.30, 18979}, {14.65, 25564}}},
      {{{7.02, 30000}, {6.08, 15000}, {4.63, 8219}, {4.43, 11714}, {14.77, 30000}}},
      {{{6.96, 30000}, {6.08, 14814}, {4.63, 9247}, {4.43, 12614}, {14.62, 30000}}},
    }},
    {{  // product
      {{{1.26}, {4.37, 2076}, {1.89, 2865}, {3.86}, {2.31}}},
      {{{1.73}, {4.58, 3000}, {1.83, 2772}, {3.59}, {2.25}}},
      {{{1.82}, {4.43, 3000}, {1.80, 2261}, {3.53}, {2.25}}},
      {{{1.85}, {4.53, 3000}, {1.92, 2533}, {3.53}, {2.20}}},
      {{{1.70}, {4.53, 3000}, {1.94, 1409}, {3.40}, {2.30}}},
    }},
    {{  // tree
      {{{1.52}, {4.87, 354}, {2.12, 1077}, {3.85}, {2.48}}},
      {{{1.82}, {5.13, 599}, {2.06, 2497}, {3.78}, {3.08}}},
      {{{2.30}, {4.98, 2374}, {2.09, 2570}, {3.85}, {3.10}}},
      {{{3.06}, {5.18, 1086}, {2.20, 463}, {3.78}, {3.08}}},
      {{{1.85}, {4.93, 2219}, {2.06, 1113}, {3.72}, {3.02}}},
    }},
    // clang-format on
}};

}  // namespace

std::span<const BanditSet> bandit_sets() { return kSets; }
std::span<const BanditLearner> bandit_learners() { return kLearners; }
std::span<const BanditMethod> bandit_methods() { return kMethods; }

const BanditCell& bandit_cell(std::size_t learner, std::size_t method, std::size_t set) {
  return kCells[learner][method][set];
}

}  // namespace mash
