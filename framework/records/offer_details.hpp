// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/base/loss_sums.hpp"
#include "framework/records/offers.hpp"

namespace mash {

// Results of one seed of an offer test.
struct OfferSeed {
  std::uint64_t seed = 0;
  double gain = 0;            // in per cent of the log-loss
  std::vector<float> losses;  // of each judging example, with the heuristic
};

// An offer test seed by seed and example by example.
struct OfferDetails {
  std::vector<std::string> class_names;
  std::vector<std::uint16_t> labels;  // of the judging examples
  std::vector<OfferSeed> seeds;       // increasing
};

// Adds details to an offer that keep_offer has kept; seeds that are there stay as they are. Errors
// (kFailure): the offer is not kept.
Status keep_offer_details(Records& records, const OfferRow& offer, const OfferDetails& details);

// A kept offer test of one version of a heuristic.
struct KeptOffer {
  std::int64_t id = 0;
  std::string pool_key;
  std::size_t num_detailed = 0;  // seeds with kept details
  PastOffer past;
};

// All offer tests of a version of a heuristic, the latest look first. Errors (kInput): none is kept; the
// message names the versions, or else the heuristics, that have kept offer tests.
Result<std::vector<KeptOffer>> offers_of_version(const RecordsReader& records, const std::string& heuristic,
                                                 const std::string& version);

// Keeps the sums that an offer which keep_offer has kept had after these seeds, in the place of those that it
// had after as many. Errors (kFailure): the offer is not kept.
Status keep_offer_sums(Records& records, const OfferRow& offer, std::size_t num_seeds, const GainSums& sums);

// The losses that a submission left on the private part with its first num_seeds seeds: those of a kept test
// whose sums are these. Empty where none is kept.
Result<LossCells> read_judging_losses(const RecordsReader& records, std::int64_t submission_id,
                                      const LossSums& sums);

// Empty where none are kept.
Result<OfferDetails> read_offer_details(const RecordsReader& records, std::int64_t offer_id);

}  // namespace mash
