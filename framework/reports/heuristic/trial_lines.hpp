// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/analysis/family_contribution.hpp"
#include "framework/analysis/gain_parts.hpp"
#include "framework/analysis/looks.hpp"

namespace mash {

// Lines that the screens of an offer and of a trial with and without a heuristic share.

// A line of the screen: "cost      1.2 µs per image".
std::string titled_line(std::string_view title, std::string_view text);

// The nearest three families, a line each, the first with a title. names: for Neighbour::family_idx.
std::string neighbour_lines(std::span<const Neighbour> neighbours, std::span<const std::string> names);

// The classes that surely have a part of a gain (or, where not helped, of a loss), the largest four: "class 4
// +0.30 ± 0.05, ...". names: of the classes.
std::string class_list(std::span<const GainPart> parts, std::span<const std::string> names, bool helped);

// Advice on a heuristic that may see the answer, and on one that harms.
inline constexpr std::string_view kLookForALeak =
    "Look for a leak before anything else: do its features depend on the order, the name or the border of "
    "the pictures?";
inline constexpr std::string_view kMakeCoarser =
    "Make its features coarser or fewer: they fit single training pictures.";

// The verdict where the pool gets nearly all judging pictures right, and what to do about it. pool_wrong: the
// mean over seeds. judges: "held-out" or "test".
std::string nothing_to_learn(std::string_view name, double pool_wrong, std::size_t num_judges,
                             std::string_view judges);
inline constexpr std::string_view kTakeHarderData =
    "Take more pictures, a smaller pool (--against) or harder data.";

// An offer test whose last look decided nothing.
struct UndecidedTest {
  std::size_t num_seeds = 0;     // of that look
  std::size_t num_enough = 0;    // seeds that would about decide; 0 where no number does
  std::size_t num_held_out = 0;  // pictures that it was judged on
  std::size_t num_played = 0;    // seeds that were not kept from before, in `seconds`
  double seconds = 0;
  bool is_one_of_many = false;  // tested together: seeds and time are those of all
};
// "about 32 seeds would tell, 8 s more: --seeds 32 --seconds 26"; and what to do to know.
std::string cost_of_knowing(const UndecidedTest& test);
std::string way_to_know(const UndecidedTest& test);

// The median of costs that are known, or "unknown" where there is none.
std::string median_in_words(const std::vector<double>& microseconds);
// Time and soundness in one line. pool_microseconds: per image, of each family of the pool whose cost is
// known.
std::string cost_text(const FamilyCost& cost, const std::vector<double>& pool_microseconds);

// Advice on the worst fault of its features, or on its time; empty where there is none.
std::string cost_advice(const FamilyCost& cost, const std::vector<double>& pool_microseconds);

}  // namespace mash
