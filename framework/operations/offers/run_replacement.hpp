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

// The name that stands for the nearest family of the pool.
inline constexpr std::string_view kNearest = "nearest";

// Finds the families that a newcomer should replace. name: the id of a heuristic of the pool, for all of its
// families; the name of a family; or kNearest. neighbours: those of the newcomer, nearest first, with
// family_idx counted among the other families of the workspace. Errors (kInput): the pool has nothing with
// this name (the message lists what it has); the name is the newcomer's own; no other families are left
// beside which both could be offered.
Result<FamilyGroup> find_replaced(const Workspace& space, const FamilyGroup& newcomer, std::string_view name,
                                  std::span<const Neighbour> neighbours);

// A newcomer and the families that it might replace, both offered beside the rest of the pool, up to the last
// look.
struct ReplacementTest {
  std::vector<ReplacementAtLook> looks;
  double seconds = 0;
  std::size_t num_played = 0, num_found = 0;  // seeds: now, and kept from before, for both
};

// Offers both beside all other families of the workspace, with the same seeds, until the ratio of their gains
// is known or the seeds or the time are used up. Apart from that it works as run_offer_test, and shares its
// cache. It ignores settings.half_width, in_detail, on_play and on_look. REQUIRES: other families are left.
Result<ReplacementTest> run_replacement_test(const Workspace& space, const FamilyGroup& newcomer,
                                             const FamilyGroup& replaced, const OfferTestSettings& settings,
                                             const WorkContext& work);

}  // namespace mash
