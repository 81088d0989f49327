// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "framework/operations/offers/run_offer.hpp"
#include "framework/reports/heuristic/offer.hpp"

namespace mash {

// Settings of offer rounds. They take the settings of laminating from the experiment's sampler, and defaults
// for the rest. A remark names what is not taken from the experiment. Errors (kInput): those of the sampler's
// settings.
Result<OfferSettings> offer_rounds_of(const Experiment& experiment, Remarks& remarks);

// Errors (kInput): there are fewer seeds than the first look has.
Status check_most_seeds(std::size_t most_seeds);

// The settings of all families of a heuristic, as in "cell=4; cell=8".
std::string settings_of(const FeatureSet& features, const FamilyGroup& newcomer);

// An offer test in the form that is shown, without neighbours and total time. newcomer: families of one
// heuristic, which were offered beside all others of the space.
HeuristicOffer offer_of(const Workspace& space, const FamilyGroup& newcomer, const OfferTest& test,
                        double relevant);

// The families of the pool, nearest first, each compared with all columns of the newcomer together. columns:
// those of all_sampled_columns. family_idx counts among the pool's families in their order.
std::vector<Neighbour> nearest_of(std::span<const cv::Mat> columns, const FamilyGroup& newcomer,
                                  const Workers& workers);

// Sets the neighbours of the newcomer among the families of the pool. neighbours: nearest first.
void set_neighbours(HeuristicOffer& offer, std::vector<Neighbour> neighbours);

// Keeps the offer in the records and fills in the history that is there. base: kOwnBase or kSharedBase. Where
// the offer cannot be kept, this is a remark and no error, because its results can still be shown. Returns
// what is kept.
std::optional<OfferRow> keep_offer_of(Workspace& space, const FamilyGroup& newcomer, HeuristicOffer& offer,
                                      const OfferTestSettings& settings, std::string_view base,
                                      Remarks& remarks);

// Keeps the sums of a test that keep_offer_of has kept, of all its looks, by which leaderboards rank. Where
// they cannot be kept, this is a remark.
void keep_sums_of(Records& records, const OfferRow& offer, const OfferTest& test, Remarks& remarks);

}  // namespace mash
