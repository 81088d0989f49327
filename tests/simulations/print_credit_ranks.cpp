// SPDX-License-Identifier: Apache-2.0
// Whether the ranks by credit of `mash leaderboard` are what their errors support: mash_credit_ranks DB [DRAWS].
// The credits that were measured are taken for the truth. Each draw adds errors to them that have the measured
// deviations and correlations over orders, seeds and pictures, and ranks what comes out as the leaderboard does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "framework/base/number.hpp"
#include "framework/base/random.hpp"
#include "framework/records/leaderboard_rows.hpp"
#include "framework/records/records.hpp"
#include "framework/reports/leaderboard_ranks.hpp"
#include "tests/simulations/value_or_end.hpp"

namespace mash::simulated {
namespace {

using Rows = std::vector<LeaderboardRow>;

// The rows with a credit and its error in the first contest that has two of them.
Rows credited_rows(const std::string& database) {
  const RecordsReader records = value_or_end(Records::open_read_only(database));
  std::map<std::string, Rows> contests;
  for (LeaderboardRow& row : value_or_end(read_leaderboard(records, LeaderboardBy::kHeuristic)))
    if (credit_with_error(row)) contests[row.contest].push_back(std::move(row));
  for (auto& [name, rows] : contests)
    if (rows.size() >= 2) return std::move(rows);
  fmt::print(stderr, "{}: no two heuristics with a credit; mash report RUN measures some\n", database);
  std::exit(1);
}

// Deviations from their mean, which is over the values that are there; not a number for those that are not.
std::vector<double> deviations(const std::vector<double>& values) {
  double sum = 0;
  std::size_t count = 0;
  for (const double value : values)
    if (!std::isnan(value)) {
      sum += value;
      ++count;
    }
  std::vector<double> rest = values;
  for (double& value : rest) value -= sum / double(count);
  return rest;
}

// The same part of each heuristic, drawn again: as many values, with the deviations and the correlations of the
// heuristics that were measured. Adds the means to `shifts`.
void draw_part(std::vector<double> CreditParts::*part, const Rows& measured, RandomStream& random, Rows& drawn,
               std::vector<double>& shifts) {
  const std::size_t num_values = (measured[0].credit.*part).size();
  std::vector<double> weights(num_values * num_values);
  for (double& weight : weights) weight = random.normal() / std::sqrt(double(num_values - 1));
  for (std::size_t k = 0; k < measured.size(); ++k) {
    const std::vector<double> of_heuristic = deviations(measured[k].credit.*part);
    const auto count = double(std::ranges::count_if(of_heuristic, [](double v) { return !std::isnan(v); }));
    const double scale = std::sqrt(double(num_values - 1) / (count - 1));
    double sum = 0;
    for (std::size_t i = 0; i < num_values; ++i) {
      if (std::isnan(of_heuristic[i])) continue;
      double value = 0;
      for (std::size_t j = 0; j < num_values; ++j)
        if (!std::isnan(of_heuristic[j])) value += weights[i * num_values + j] * of_heuristic[j];
      (drawn[k].credit.*part)[i] = scale * value;
      sum += scale * value;
    }
    shifts[k] += sum / count;
  }
}

// Pictures are many, so that their deviations are known well and stay; their mean alone is drawn.
void draw_pictures(const Rows& measured, RandomStream& random, std::vector<double>& shifts) {
  std::vector<double> weights(measured[0].credit.of_pictures.size());
  for (double& weight : weights) weight = random.normal() / double(weights.size());
  for (std::size_t k = 0; k < measured.size(); ++k) {
    const std::vector<double> of_heuristic = deviations(measured[k].credit.of_pictures);
    for (std::size_t n = 0; n < weights.size(); ++n) shifts[k] += weights[n] * of_heuristic[n];
  }
}

Rows draw(const Rows& measured, std::uint64_t number) {
  RandomStream random(number, "credit ranks");
  Rows drawn = measured;
  std::vector<double> shifts(measured.size());
  if (!measured[0].credit.of_pairs.empty())
    draw_part(&CreditParts::of_pairs, measured, random, drawn, shifts);
  draw_part(&CreditParts::of_seeds, measured, random, drawn, shifts);
  draw_pictures(measured, random, shifts);
  for (std::size_t k = 0; k < drawn.size(); ++k)
    drawn[k].values["credit"] = *number_of(measured[k], "credit") + shifts[k];
  return drawn;
}

std::int64_t median(std::vector<std::int64_t> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

void print_ranks(const Rows& measured, std::size_t num_draws) {
  struct Drawn {
    std::vector<std::int64_t> lows, highs, places;
    std::size_t num_held = 0;
  };
  std::vector<Drawn> all(measured.size());
  const auto by_credit = [](const Rows& rows, std::size_t i) { return *number_of(rows[i], "credit"); };
  const auto rank_in = [&](const Rows& rows, std::size_t i) {
    std::int64_t rank = 1;
    for (std::size_t j = 0; j < rows.size(); ++j) rank += by_credit(rows, j) > by_credit(rows, i);
    return rank;
  };
  for (std::size_t d = 0; d < num_draws; ++d) {
    const Rows drawn = draw(measured, d + 1);
    const std::vector<RowRanks> ranks = ranks_of(drawn, RankForm::kOwn);
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      if (!ranks[k].interval) continue;
      const RankInterval& set = *ranks[k].interval;
      const std::int64_t truth = rank_in(measured, k);
      all[k].lows.push_back(set.low);
      all[k].highs.push_back(set.high);
      all[k].places.push_back(rank_in(drawn, k));
      all[k].num_held += set.low <= truth && truth <= set.high;
    }
  }
  fmt::print(
      "{} heuristics with a credit, {} draws\n\n"
      "| place | heuristic | rank set | drawn sets, median | places of 95 % of the draws | sets that hold the "
      "truth, % |\n|---|---|---|---|---|---|\n",
      measured.size(), num_draws);
  const std::vector<RowRanks> ranks = ranks_of(measured, RankForm::kOwn);
  std::vector<std::size_t> order(measured.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[std::size_t(rank_in(measured, k) - 1)] = k;
  for (const std::size_t k : order) {
    Drawn& drawn = all[k];
    std::ranges::sort(drawn.places);
    const std::size_t tail = drawn.places.size() / 40;
    const Cell name = value_of(measured[k], "heuristic");
    fmt::print("| {} | {} | {}–{} | {}–{} | {}–{} | {:.1f} |\n", rank_in(measured, k),
               std::get<std::string>(name), ranks[k].interval->low, ranks[k].interval->high,
               median(drawn.lows), median(drawn.highs), drawn.places[tail],
               drawn.places[drawn.places.size() - 1 - tail],
               100 * double(drawn.num_held) / double(drawn.lows.size()));
  }
}

}  // namespace
}  // namespace mash::simulated

int main(int num_arguments, char** arguments) {
  using namespace mash;
  const auto draws = num_arguments > 2 ? whole_number_in(arguments[2]) : std::optional<std::int64_t>(1000);
  if (num_arguments < 2 || num_arguments > 3 || !draws || *draws < 40) {
    fmt::print(stderr, "usage: mash_credit_ranks DATABASE [DRAWS], 40 draws at least\n");
    return 2;
  }
  simulated::print_ranks(simulated::credited_rows(arguments[1]), std::size_t(*draws));
  return 0;
}
