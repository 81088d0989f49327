// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "framework/operations/offers/run_offer.hpp"
#include "framework/reports/heuristic/offer.hpp"

namespace mash {

// With what the experiment's sampler says of laminating, and the default for the rest; a remark tells of what
// is not taken from the experiment.
// Errors (kInput): those of the sampler's settings.
Result<OfferSettings> offer_rounds_of(const Experiment& experiment, Remarks& remarks);

// Errors (kInput): fewer seeds than the first look has.
Status check_most_seeds(std::size_t most_seeds);

// The settings of all families of a heuristic: "cell=4; cell=8".
std::string settings_of(const FeatureSet& features, const FamilyGroup& newcomer);

// An offer test as it is shown, except the neighbours and the time of everything. newcomer: families of one
// heuristic, which were offered beside all others of the space.
HeuristicOffer offer_of(const Workspace& space, const FamilyGroup& newcomer, const OfferTest& test,
                        double relevant);

// The families of the pool, nearest first, compared with all columns of the newcomer together. columns:
// all_sampled_columns. family_idx: among the pool's families in their order.
std::vector<Neighbour> nearest_of(std::span<const cv::Mat> columns, const FamilyGroup& newcomer,
                                  const Workers& workers);

// Neighbours of the newcomer among the families of the pool, nearest first.
void set_neighbours(HeuristicOffer& offer, std::vector<Neighbour> neighbours);

// Keeps it in the records, and fills in the history that is there. base: kOwnBase or kSharedBase. What was
// found is worth showing also where it cannot be kept, which is a remark. Returns what is kept.
std::optional<OfferRow> keep_offer_of(Workspace& space, const FamilyGroup& newcomer, HeuristicOffer& offer,
                                      const OfferTestSettings& settings, std::string_view base,
                                      Remarks& remarks);

}  // namespace mash
