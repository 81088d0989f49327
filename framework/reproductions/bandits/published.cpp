// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/bandits/published.hpp"

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

// Per weak learner a row for each method, in it a cell {error, T} for each data set, in the orders above. T
// is what --validate found; where the error was still falling at the end of that search, T is its end (MNIST,
// isolet's stumps of 83334 and 25000, trees of 4167) or a round number beyond it (see bandit_adaptation).
constexpr std::array<Block, kLearners.size()> kCells{{
    // clang-format off
    {{  // stump
      {{{7.56, 5000}, {6.28, 20499}, {4.96, 11196}, {4.52, 25000}, {14.57, 24999}}},
      {{{6.94, 30000}, {6.13, 66974}, {4.57, 9770}, {4.43, 83334}, {14.60, 45771}}},
      {{{7.07, 30000}, {6.03, 45119}, {4.63, 8138}, {4.30, 35352}, {14.65, 47110}}},
      {{{7.02, 30000}, {6.08, 134484}, {4.63, 8219}, {4.43, 83334}, {14.77, 22874}}},
      {{{6.96, 30000}, {6.08, 20009}, {4.63, 9247}, {4.43, 21391}, {14.62, 30559}}},
    }},
    {{  // product
      {{{1.26, 5000}, {4.37, 5000}, {1.89, 2865}, {3.86, 4000}, {2.31, 12500}}},
      {{{1.73, 12500}, {4.58, 13370}, {1.83, 2772}, {3.59, 20000}, {2.25, 12500}}},
      {{{1.82, 12500}, {4.43, 15959}, {1.80, 2261}, {3.53, 20000}, {2.25, 12500}}},
      {{{1.85, 12500}, {4.53, 16667}, {1.92, 2533}, {3.53, 20000}, {2.20, 12500}}},
      {{{1.70, 12500}, {4.53, 13894}, {1.94, 1409}, {3.40, 20000}, {2.30, 12500}}},
    }},
    {{  // tree
      {{{1.52, 1250}, {4.87, 354}, {2.12, 1077}, {3.85, 1310}, {2.48, 2104}}},
      {{{1.82, 12500}, {5.13, 599}, {2.06, 2497}, {3.78, 3771}, {3.08, 4021}}},
      {{{2.30, 12500}, {4.98, 2374}, {2.09, 2570}, {3.85, 4167}, {3.10, 4167}}},
      {{{3.06, 12500}, {5.18, 1086}, {2.20, 463}, {3.78, 4167}, {3.08, 3367}}},
      {{{1.85, 12500}, {4.93, 2219}, {2.06, 1113}, {3.72, 3425}, {3.02, 3444}}},
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

std::string_view bandit_adaptation(std::size_t learner, std::size_t method, std::size_t set) {
  const std::string_view data = kSets[set].name, weak = kLearners[learner].name;
  if (data == "usps") return weak == "stump" ? "data, cuts" : "data";
  if (weak != "product") return "";
  const bool is_full_on_mnist = data == "mnist" && kMethods[method].name == "full";
  return is_full_on_mnist || data == "isolet" || data == "letter" ? "T" : "";
}

}  // namespace mash
