// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/base/statistics.hpp"
#include "framework/records/records.hpp"

namespace mash {

// The test error of several seeds after a round.
struct CurveBand {
  std::uint32_t round = 0;
  Estimate test_error;
};
// The test errors of finished runs that differ in the seed only, at the rounds where all have a point.
Result<std::vector<CurveBand>> curve_bands(const RecordsReader& records,
                                           std::span<const std::int64_t> run_ids);

// What the booster made of some families in some rounds, over all seeds.
struct RoundUse {
  std::uint32_t first = 0, last = 0;  // rounds
  double chosen = 0;                  // share of the cuts of these rounds
  double alpha = 0;  // share of the votes' weights; the cuts of a round share its weight equally
};
struct UseOverRounds {
  std::int64_t offered = 0, evaluated = 0, chosen = 0;  // sums over the runs
  std::vector<RoundUse> rounds;                         // ten stretches of equally many rounds, or fewer
};
// families: the names of those that are looked at as one.
Result<UseOverRounds> use_over_rounds(const RecordsReader& records, std::span<const std::int64_t> run_ids,
                                      std::span<const std::string> families);

}  // namespace mash
