// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/trial_course.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "framework/records/rounds.hpp"

namespace mash {
namespace {

constexpr std::uint32_t kNumStretches = 10;

bool is_among(std::span<const std::string> families, const std::string& name) {
  return std::find(families.begin(), families.end(), name) != families.end();
}

// Sums over runs, for each stretch of rounds: of all families, and of those that are looked at.
struct Sums {
  double cuts = 0, alpha = 0;
  double own_cuts = 0, own_alpha = 0;
};

// Adds what the cuts of one run's rounds went to. is_own: for each of its families.
void add_rounds(std::span<const CutRow> cuts, const std::vector<bool>& is_own,
                std::span<const RoundUse> stretches, std::vector<Sums>& sums) {
  std::map<std::uint32_t, std::size_t> num_cuts;  // by round
  for (const CutRow& cut : cuts) ++num_cuts[cut.round];
  for (const CutRow& cut : cuts) {
    const auto stretch = std::find_if(stretches.begin(), stretches.end(),
                                      [&](const RoundUse& rounds) { return cut.round <= rounds.last; });
    if (stretch == stretches.end()) continue;
    Sums& sum = sums[std::size_t(stretch - stretches.begin())];
    const double alpha = std::abs(cut.alpha) / double(num_cuts[cut.round]);
    sum.cuts += 1;
    sum.alpha += alpha;
    if (cut.family_idx >= is_own.size() || !is_own[cut.family_idx]) continue;
    sum.own_cuts += 1;
    sum.own_alpha += alpha;
  }
}

// Adds the totals of one run; returns which of its families are looked at.
std::vector<bool> add_totals(std::span<const FamilyUseRow> all, std::span<const std::string> families,
                             UseOverRounds& use) {
  std::vector<bool> is_own;
  for (const FamilyUseRow& family : all) {
    is_own.push_back(is_among(families, family.name));
    if (!is_own.back()) continue;
    use.offered += std::int64_t(family.use.offered);
    use.evaluated += std::int64_t(family.use.evaluated);
    use.chosen += std::int64_t(family.use.chosen);
  }
  return is_own;
}

std::vector<RoundUse> stretches(std::uint32_t num_rounds) {
  const std::uint32_t num_stretches = std::min(kNumStretches, num_rounds);
  std::vector<RoundUse> result;
  for (std::uint32_t i = 0; i < num_stretches; ++i)
    result.push_back({num_rounds * i / num_stretches + 1, num_rounds * (i + 1) / num_stretches, 0, 0});
  return result;
}

}  // namespace

Result<std::vector<CurveBand>> curve_bands(const RecordsReader& records,
                                           std::span<const std::int64_t> run_ids) {
  std::map<std::uint32_t, std::vector<double>> errors;
  for (const std::int64_t id : run_ids) {
    MASH_ASSIGN(const auto curve, read_curve(records, id));
    for (const CurvePoint& point : curve)
      if (!std::isnan(point.test_error)) errors[point.round].push_back(point.test_error);
  }
  std::vector<CurveBand> bands;
  for (const auto& [round, values] : errors)
    if (values.size() == run_ids.size()) bands.push_back({round, estimate(values)});
  return bands;
}

Result<UseOverRounds> use_over_rounds(const RecordsReader& records, std::span<const std::int64_t> run_ids,
                                      std::span<const std::string> families) {
  std::uint32_t last_round = 0;
  for (const std::int64_t id : run_ids) {
    MASH_ASSIGN(const std::uint32_t last, read_last_round(records, id));
    last_round = std::max(last_round, last);
  }
  UseOverRounds use;
  use.rounds = stretches(last_round);
  std::vector<Sums> sums(use.rounds.size());
  for (const std::int64_t id : run_ids) {
    MASH_ASSIGN(const auto all, read_family_uses(records, id));
    MASH_ASSIGN(const auto cuts, read_cuts(records, id));
    add_rounds(cuts, add_totals(all, families, use), use.rounds, sums);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].cuts > 0) use.rounds[i].chosen = sums[i].own_cuts / sums[i].cuts;
    if (sums[i].alpha > 0) use.rounds[i].alpha = sums[i].own_alpha / sums[i].alpha;
  }
  return use;
}

}  // namespace mash
