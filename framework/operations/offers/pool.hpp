// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/operations/offers/run_offer.hpp"
#include "framework/reports/heuristic/offer.hpp"

namespace mash {

// Families of a workspace that are offered beside all others: one family, or all families of a heuristic.
struct PoolMember {
  FamilyGroup families;
  std::vector<Neighbour> neighbours;       // nearest first; family_idx is a place among the others
  std::optional<double> alpha_share = {};  // of trainings with all families, where there were some
};

// The heuristics of a workspace, each with all its families, in the order of their first families.
std::vector<PoolMember> heuristics_of(const FeatureSet& features, const Workers& workers);

// Settings for testing the members of an experiment's pool on the held-out part. seconds: of all tests
// together. Errors: as offer_rounds_of.
Result<OfferTestSettings> pool_offer_settings(const Experiment& experiment, double seconds,
                                              const WorkContext& work);

// Runs the offer tests of all members of a workspace together, each member beside the others. The pool is
// trained once for each seed, with all families. The test of a member starts from that pool, where the
// member's hypotheses are replaced by equally many of the others. This takes about a third of the rounds of
// separate tests. Decided tests continue while time is left, until half of their interval is at most
// settings.half_width, or until more seeds could not achieve that. settings.seconds: of all tests together. A
// look at a member that does not begin in time is not taken, except the first look. Errors: as
// run_offer_test. REQUIRES: beside each member there is another family.
Result<std::vector<OfferTest>> run_pool_offers(const Workspace& space, std::span<const PoolMember> members,
                                               const OfferTestSettings& settings, const WorkContext& work);

// The same, in the form that is shown. Tests of all families of a heuristic are kept in the records, under
// the side that judged. experiment: its name. Errors: as run_pool_offers.
Result<std::vector<HeuristicOffer>> keep_pool_offers(Workspace& space, const std::string& experiment,
                                                     std::span<const PoolMember> members,
                                                     const OfferTestSettings& settings,
                                                     const WorkContext& work);

}  // namespace mash
