// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/measured_gain.hpp"
#include "framework/records/records.hpp"

namespace mash {

// The side that an offer test judges on.
inline constexpr std::string_view kHeldOutSide = "held out";  // a part of the training side
inline constexpr std::string_view kTestSide = "test";
// Origin of its pool before the heuristic was offered.
inline constexpr std::string_view kOwnBase = "own";  // trained without the heuristic
inline constexpr std::string_view kSharedBase =
    "shared";  // trained with all, then the heuristic was taken out

// Procedure of the offer tests of this program. Gains by another one are not set beside them. Procedure 2
// scales scores with one example in doubt, takes the ratio of mean losses, and draws what is offered without
// its name.
inline constexpr int kOfferProcedure = 2;

// Results of an offer test at its last look.
struct OfferRow : MeasuredGain {
  std::string heuristic, version, settings, plugin_sha256;
  std::string dataset_fingerprint, dataset;  // the second is its name
  std::string side = std::string(kHeldOutSide);
  std::vector<std::string> pool;      // names of its families
  std::vector<std::string> newcomer;  // names of the heuristic's families
  std::string experiment;             // whose heuristics are the pool
  std::string base = std::string(kOwnBase);
  // Version of the program, settings of its rounds and builds of the pool: with others the models may differ.
  std::string trained_by;
  std::uint64_t first_seed = 1;
  int procedure = kOfferProcedure;
  double relevant = 1;      // the smallest gain that one would want to know of
  double placebo_gain = 0;  // of as many candidates more of the pool itself
  std::uint64_t num_wins = 0, num_duels = 0;
  double win_index = 0;               // 1: as good as the pool's average candidate
  double speed_up = 0;                // with it the pool goes on 1 + this times as fast
  std::optional<double> alpha_share;  // of trainings with all families, mean over seeds
  double seconds = 0;                 // of the test
  // The family of the pool with the largest CKA, and that CKA; empty: not known.
  std::string nearest = {};
  double nearest_cka = 0;
};

// A key of a set of names, equal for any order of them. The pool of a heuristic and its own families together
// make one set; every heuristic in that set gets the same key for it.
std::string family_set_key(std::span<const std::string> names);

// Keeps the results of a test. Where the same test is kept already (the same heuristic with its build and
// settings, data, side, pool, base, program and first seed), the new figures replace the kept ones, unless
// those are of more seeds. The test's place in the history stays.
Status keep_offer(Records& records, const OfferRow& offer);

// An offer test that is kept.
struct PastOffer {
  std::string measured_at;  // the last look: UTC, ISO 8601
  OfferRow offer;           // without `newcomer`
};

// The history of the offer's heuristic beside its pool, on its data and side, by its procedure. It lists
// builds (plugin and settings) in the order in which they were first tried, each with its last look.
Result<std::vector<PastOffer>> past_offers(const RecordsReader& records, const OfferRow& offer);

// The last look at each heuristic of the set that `together_key` names, on these data and this side, by the
// procedure of this program; in the order of their names.
// together_key: a family_set_key.
Result<std::vector<PastOffer>> latest_offers(const RecordsReader& records,
                                             const std::string& dataset_fingerprint, std::string_view side,
                                             const std::string& together_key);

}  // namespace mash
