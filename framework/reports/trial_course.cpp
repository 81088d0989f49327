// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/trial_course.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "framework/records/database.hpp"
#include "framework/analysis/contribution.hpp"

namespace mash {
namespace {

constexpr std::uint32_t kNumStretches = 10;

// Adds up what the cuts of one experiment's rounds went to.
void add_rounds(SQLite::Database& database, std::int64_t experiment_id, std::span<const std::string> families,
                UseOverRounds& use, std::vector<double>& alpha_sums, std::vector<double>& cut_sums) {
  SQLite::Statement cuts(database, R"sql(
    SELECT r.round, ABS(r.alpha) / COUNT(*) OVER (PARTITION BY r.round), f.name
    FROM rounds r JOIN cuts c ON c.experiment_id = r.experiment_id AND c.round = r.round
    JOIN families f ON f.experiment_id = r.experiment_id AND f.family_idx = c.family_idx
    WHERE r.experiment_id = ?)sql");
  cuts.bind(1, experiment_id);
  while (cuts.executeStep()) {
    const std::uint32_t round = cuts.getColumn(0).getUInt();
    const auto stretch = std::find_if(use.rounds.begin(), use.rounds.end(),
                                      [&](const RoundUse& rounds) { return round <= rounds.last; });
    if (stretch == use.rounds.end()) continue;
    const auto i = std::size_t(stretch - use.rounds.begin());
    const double alpha = cuts.getColumn(1).getDouble();
    cut_sums[i] += 1;
    alpha_sums[i] += alpha;
    if (std::find(families.begin(), families.end(), cuts.getColumn(2).getString()) == families.end())
      continue;
    stretch->chosen += 1;
    stretch->alpha += alpha;
  }
}

void add_totals(SQLite::Database& database, std::int64_t experiment_id, std::span<const std::string> families,
                UseOverRounds& use) {
  SQLite::Statement totals(database,
                           "SELECT name, offered, evaluated, chosen FROM families WHERE experiment_id = ?");
  totals.bind(1, experiment_id);
  while (totals.executeStep()) {
    if (std::find(families.begin(), families.end(), totals.getColumn(0).getString()) == families.end())
      continue;
    use.offered += totals.getColumn(1).getInt64();
    use.evaluated += totals.getColumn(2).getInt64();
    use.chosen += totals.getColumn(3).getInt64();
  }
}

std::vector<RoundUse> stretches(std::uint32_t num_rounds) {
  const std::uint32_t num_stretches = std::min(kNumStretches, num_rounds);
  std::vector<RoundUse> result;
  for (std::uint32_t i = 0; i < num_stretches; ++i)
    result.push_back({num_rounds * i / num_stretches + 1, num_rounds * (i + 1) / num_stretches, 0, 0});
  return result;
}

}  // namespace

Result<std::vector<CurveBand>> curve_bands(Records& records, std::span<const std::int64_t> experiment_ids) {
  return with_database(records.database(), [&](SQLite::Database& database) -> Result<std::vector<CurveBand>> {
    std::map<std::uint32_t, std::vector<double>> errors;
    for (const std::int64_t id : experiment_ids) {
      SQLite::Statement curve(
          database, "SELECT round, test_error FROM curve WHERE experiment_id = ? AND test_error IS NOT NULL");
      curve.bind(1, id);
      while (curve.executeStep())
        errors[curve.getColumn(0).getUInt()].push_back(curve.getColumn(1).getDouble());
    }
    std::vector<CurveBand> bands;
    for (const auto& [round, values] : errors)
      if (values.size() == experiment_ids.size()) bands.push_back({round, estimate(values)});
    return bands;
  });
}

Result<UseOverRounds> use_over_rounds(Records& records, std::span<const std::int64_t> experiment_ids,
                                      std::span<const std::string> families) {
  return with_database(records.database(), [&](SQLite::Database& database) -> Result<UseOverRounds> {
    UseOverRounds use;
    SQLite::Statement longest(database, fmt::format("SELECT COALESCE(MAX(round), 0) FROM rounds WHERE "
                                                    "experiment_id IN ({})",
                                                    fmt::join(experiment_ids, ", ")));
    longest.executeStep();
    use.rounds = stretches(longest.getColumn(0).getUInt());
    std::vector<double> alpha_sums(use.rounds.size()), cut_sums(use.rounds.size());
    for (const std::int64_t id : experiment_ids) {
      add_rounds(database, id, families, use, alpha_sums, cut_sums);
      add_totals(database, id, families, use);
    }
    for (std::size_t i = 0; i < use.rounds.size(); ++i) {
      if (cut_sums[i] > 0) use.rounds[i].chosen /= cut_sums[i];
      if (alpha_sums[i] > 0) use.rounds[i].alpha /= alpha_sums[i];
    }
    return use;
  });
}

}  // namespace mash
