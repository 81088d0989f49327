// SPDX-License-Identifier: Apache-2.0
// Prints the tables of docs/decisions/0010-error-of-a-mean.md, in some minutes.
#include <fmt/format.h>

#include <algorithm>

#include "tests/simulations/rates.hpp"

namespace mash::simulated {
namespace {

constexpr std::size_t kDraws = 20000;      // of mean squares
constexpr std::size_t kWholeDraws = 4000;  // of whole tables
constexpr double kParts[] = {1, 1.5, 2, 4, 10, 30, 100, 1000};

// The extremes over all parts.
struct Extremes {
  double missed = 0, at_seeds = 1, at_examples = 1, narrowest = 1e9, widest = 0;
};

Extremes extremes(std::size_t num_seeds, std::size_t num_examples, Reach& reach) {
  Extremes found;
  for (const double seeds : kParts)
    for (const double examples : kParts) {
      const Rates rates = of_tables({num_seeds, num_examples, seeds, examples}, reach, kMiss, kDraws, 1);
      if (rates.missed > found.missed) {
        found.missed = rates.missed;
        found.at_seeds = seeds;
        found.at_examples = examples;
      }
      found.narrowest = std::min(found.narrowest, rates.width);
      found.widest = std::max(found.widest, rates.width);
    }
  return found;
}

void print_means(std::size_t num_examples, Reach& reach) {
  fmt::print("| seeds | missed | at most with | width |\n|---|---|---|---|\n");
  for (const std::size_t num_seeds : {2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 16u}) {
    const Extremes found = extremes(num_seeds, num_examples, reach);
    fmt::print("| {} | {:.1f} % | {:g}, {:g} | {:.2f} to {:.2f} |\n", num_seeds, 100 * found.missed,
               found.at_seeds, found.at_examples, found.narrowest, found.widest);
  }
}

void print_mistakes() {
  fmt::print(
      "\n| seeds | changed examples | same each seed | others each seed | seeds lean over |\n"
      "|---|---|---|---|---|\n");
  for (const std::size_t num_seeds : {1u, 2u, 3u, 4u, 8u})
    for (const double num_changed : {2., 4., 8., 30.}) {
      fmt::print("| {} | {:g} |", num_seeds, num_changed);
      for (const Mistakes01 kind :
           {Mistakes01::kSameEachSeed, Mistakes01::kOthersEachSeed, Mistakes01::kSeedsLeanOver}) {
        // Leaning seeds are what one seed cannot show.
        if (num_seeds == 1 && kind == Mistakes01::kSeedsLeanOver)
          fmt::print(" – |");
        else
          fmt::print(" {:.1f} % |",
                     100 * of_mistakes(kind, {num_seeds, 500}, num_changed, kWholeDraws, 3).missed);
      }
      fmt::print("\n");
    }
}

void print_together() {
  fmt::print(
      "\n| what is shared (seeds, examples) | six looks | all pairs of 4 sides, 4 seeds |\n|---|---|---|\n");
  for (const auto& [seeds, examples] : {std::pair(1., 1.), {4., 1.}, {1., 4.}, {10., 4.}, {100., 30.}})
    fmt::print("| {:g}, {:g} | {:.1f} % | {:.1f} % |\n", seeds, examples,
               100 * wrong_by_any_look({128, 40, seeds, examples}, 128, kWholeDraws, 4),
               100 * wrong_by_any_pair(4, {4, 40, seeds, examples}, kWholeDraws, 5));
}

}  // namespace
}  // namespace mash::simulated

int main() {
  for (const std::size_t num_examples : {1000u, 10u, 2u}) {
    fmt::print("\n{} pictures:\n\n", num_examples);
    mash::simulated::print_means(num_examples, mash::simulated::own_reach);
  }
  fmt::print("\n1000 pictures, one t of Satterthwaite's degrees of freedom:\n\n");
  mash::simulated::print_means(1000, mash::simulated::satterthwaite_reach);
  mash::simulated::print_mistakes();
  mash::simulated::print_together();
}
