// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "framework/analysis/replacement.hpp"
#include "framework/analysis/similarity.hpp"
#include "framework/operations/offers/run_offer.hpp"

namespace mash {

// Names the nearest family of the pool, in the place of a heuristic.
inline constexpr std::string_view kNearest = "nearest";

// The families that a newcomer is to replace. name: the id of a heuristic of the pool, which means all of its
// families; the name of a family; or kNearest. neighbours: of the newcomer, nearest first, family_idx among
// the others of the workspace. Errors (kInput): nothing of that name is in the pool, with what is; the
// newcomer itself; no others are left that both could be offered beside.
Result<FamilyGroup> find_replaced(const Workspace& space, const FamilyGroup& newcomer, std::string_view name,
                                  std::span<const Neighbour> neighbours);

// A newcomer and what it might replace, both offered beside the rest of the pool, up to the last look.
struct ReplacementTest {
  std::vector<ReplacementAtLook> looks;
  double seconds = 0;
  std::size_t num_played = 0, num_found = 0;  // seeds: now, and kept from before, for both
};

// Offers both beside all others of the workspace, with the same seeds, until the ratio of their gains is
// known or the seeds or the time are used up. Everything else is as of run_offer_test, whose cache it uses;
// settings.half_width, in_detail, on_play and on_look are not looked at. REQUIRES: others are left.
Result<ReplacementTest> run_replacement_test(const Workspace& space, const FamilyGroup& newcomer,
                                             const FamilyGroup& replaced, const OfferTestSettings& settings,
                                             const WorkContext& work);

}  // namespace mash
