// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/operations/offers/run_offer.hpp"
#include "framework/reports/heuristic/offer.hpp"

namespace mash {

// Families of a workspace that are offered beside all its others: one of them, or all of a heuristic.
struct PoolMember {
  FamilyGroup families;
  std::vector<Neighbour> neighbours;       // nearest first; family_idx is a place among the others
  std::optional<double> alpha_share = {};  // of trainings with all families, where there were some
};

// The heuristics of a workspace, each with all its families, in the order of their first ones.
std::vector<PoolMember> heuristics_of(const FeatureSet& features, const Workers& workers);

// How the members of an experiment's pool are tested, on the held-out part. seconds: of all together.
// Errors: as offer_rounds_of.
Result<OfferTestSettings> pool_offer_settings(const Experiment& experiment, double seconds,
                                              const WorkContext& work);

// The offer test of every member of a workspace beside the others, all at once. The pool is trained once for
// each seed, with all families; each member's test starts from that pool without the member's hypotheses,
// topped up with as many from the others. That takes about a third of the rounds of a test for each by
// itself.
// Decided tests continue while time is left, until half their interval is at most settings.half_width or more
// seeds could not make it so. settings.seconds: of all together; a look at a member that is not begun in time
// is not taken, except the first. Errors: as run_offer_test. REQUIRES: beside each member there is another
// family.
Result<std::vector<OfferTest>> run_pool_offers(const Workspace& space, std::span<const PoolMember> members,
                                               const OfferTestSettings& settings, const WorkContext& work);

// The same, as it is shown. Those that are all families of a heuristic are kept in the records, as found by
// the side that judged. experiment: its name. Errors: as run_pool_offers.
Result<std::vector<HeuristicOffer>> keep_pool_offers(Workspace& space, const std::string& experiment,
                                                     std::span<const PoolMember> members,
                                                     const OfferTestSettings& settings,
                                                     const WorkContext& work);

}  // namespace mash
