// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/records/offers.hpp"

namespace mash {

// Results of one seed of an offer test.
struct OfferSeed {
  std::uint64_t seed = 0;
  double gain = 0;            // in per cent of the log-loss
  std::vector<float> losses;  // with the heuristic, of each example that judges
};

// An offer test seed by seed and example by example.
struct OfferDetails {
  std::vector<std::string> class_names;
  std::vector<std::uint16_t> labels;  // of the examples that judge
  std::vector<OfferSeed> seeds;       // increasing
};

// Adds to what keep_offer keeps of this offer; seeds that are there stay as they are. Errors: the offer is
// not kept (kFailure).
Status keep_offer_details(Records& records, const OfferRow& offer, const OfferDetails& details);

// An offer test of one version, as far as it is kept.
struct KeptOffer {
  std::int64_t id = 0;
  std::string pool_key;
  std::size_t num_detailed = 0;  // seeds of which the details are kept
  PastOffer past;
};

// All offer tests of a version of a heuristic, the latest look first. Errors (kInput): none is kept; names
// the versions, or else the heuristics, of which some are.
Result<std::vector<KeptOffer>> offers_of_version(const RecordsReader& records, const std::string& heuristic,
                                                 const std::string& version);

// Empty where none are kept.
Result<OfferDetails> read_offer_details(const RecordsReader& records, std::int64_t offer_id);

}  // namespace mash
