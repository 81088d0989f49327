// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/contribution/truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "framework/analysis/looks.hpp"
#include "framework/base/random.hpp"
#include "framework/render/chart_sheet.hpp"

namespace mash {
namespace {

constexpr std::size_t kResamples = 10'000;
// A family that adds surely more than this, in per cent of the log-loss, must not end as "nothing".
constexpr double kMissed = 4;

CorrelationInterval interval_of(double value, std::vector<double> resampled) {
  std::sort(resampled.begin(), resampled.end());
  const auto at = [&](double share) { return resampled[std::size_t(share * double(resampled.size() - 1))]; };
  return {value, at(.025), at(.975)};
}

std::string show(const CorrelationInterval& correlation) {
  return fmt::format("{:+.2f} ({:+.2f} to {:+.2f})", correlation.value, correlation.low, correlation.high);
}

Estimate offered_gain(const MeasuredFamily& family) {
  return {family.offered.gain, (family.offered.interval.high - family.offered.interval.low) / 2};
}

struct Columns {
  std::vector<double> trained, offered, errors;
};
Columns columns_of(const MeasuredPool& pool) {
  Columns columns;
  for (const MeasuredFamily& family : pool.families) {
    columns.trained.push_back(trained_gain(family).mean);
    columns.offered.push_back(family.offered.gain);
    columns.errors.push_back(statistics_of(family.errors).mean);
  }
  return columns;
}

std::vector<std::size_t> by_trained_gain(const MeasuredPool& pool) {
  const std::vector<double> gains = columns_of(pool).trained;
  std::vector<std::size_t> order(gains.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return gains[a] > gains[b]; });
  return order;
}

// Costs of the measures, in rounds of boosting.
std::string cost_of(const MeasuredPool& pool) {
  const std::size_t num_trainings = (pool.families.size() + 1) * pool.families[0].trained.num_seeds();
  const std::size_t num_short = (pool.families.size() + 1) * pool.families[0].errors.size();
  return fmt::format(
      "{}: the truth took {} trainings, {} rounds in all; {} short ones of each set of families {} rounds; "
      "the offer test {} rounds, with its placebo",
      pool.set, num_trainings, num_trainings * pool.rounds, pool.families[0].errors.size(),
      num_short * pool.short_rounds, pool.offer_rounds);
}

void add_remarks(const MeasuredPool& pool, std::vector<std::string>& remarks) {
  const Columns columns = columns_of(pool);
  if (pool.families.size() >= 3) {
    const ComparedCorrelations compared =
        compare_correlations(columns.trained, columns.offered, columns.errors);
    remarks.push_back(fmt::format(
        "{}: Spearman's correlation with the truth over {} families (95 % of {} bootstrap resamples of the "
        "families): offer test {}; error of short trainings with and without {}; difference {}",
        pool.set, pool.families.size(), kResamples, show(compared.offered), show(compared.errors),
        show(compared.difference)));
  }
  std::string missed;
  for (const MeasuredFamily& family : pool.families) {
    const Estimate truth = trained_gain(family);
    if (family.verdict == OfferVerdict::kNothing && truth.mean - truth.half_width.value_or(0) > kMissed)
      missed += (missed.empty() ? "" : ", ") + family.name;
  }
  remarks.push_back(
      fmt::format("{}: families that surely add more than {:.0f} % and that the offer test calls "
                  "nothing: {}",
                  pool.set, kMissed, missed.empty() ? "none" : missed));
  remarks.push_back(cost_of(pool));
}

ChartSeries dots(std::string name, std::string_view colour, const MeasuredPool& pool,
                 Estimate (*figure)(const MeasuredFamily&)) {
  ChartSeries series{std::move(name), {}, {colour}};
  for (const std::size_t k : by_trained_gain(pool)) {
    const MeasuredFamily& family = pool.families[k];
    const Estimate y = figure(family);
    series.points.push_back({trained_gain(family).mean, y.mean, family.name, y.half_width.value_or(0)});
  }
  std::reverse(series.points.begin(), series.points.end());  // in order of x
  return series;
}

Estimate error_gain(const MeasuredFamily& family) {
  const Estimate gain = estimate(family.errors);
  return {100 * gain.mean, gain.half_width ? std::optional(100 * *gain.half_width) : std::nullopt};
}

std::string figure_of(const std::string& title, std::span<const MeasuredPool> pools) {
  ChartSheet sheet{title, 2, {}};
  for (const MeasuredPool& pool : pools) {
    const std::string x_title =
        fmt::format("trained with and without, T = {}: % of the log-loss", pool.rounds);
    LineChart offered, errors;
    offered.title = fmt::format("{}: offer test, % of the log-loss", pool.set);
    errors.title = fmt::format("{}: error at T = {}, points", pool.set, pool.short_rounds);
    offered.x_title = errors.x_title = x_title;
    offered.mark = errors.mark = LineChart::Mark::kDots;
    offered.series.push_back(dots("offer test", "#0072b2", pool, offered_gain));
    errors.series.push_back(dots("short trainings", "#d55e00", pool, error_gain));
    sheet.charts.push_back(std::move(offered));
    sheet.charts.push_back(std::move(errors));
  }
  return chart_sheet_svg(sheet);
}

}  // namespace

Estimate trained_gain(const MeasuredFamily& family) {
  const PairedLosses& losses = family.trained;
  return {losses.gain(), gain_error(losses, 0).reach()};
}

ComparedCorrelations compare_correlations(std::span<const double> truth, std::span<const double> offered,
                                          std::span<const double> errors) {
  RandomStream random(1, "reproductions.bootstrap");
  std::array<std::vector<double>, 3> resampled;
  std::vector<double> x(truth.size()), y(truth.size()), z(truth.size());
  for (std::size_t i = 0; i < kResamples; ++i) {
    for (std::size_t k = 0; k < truth.size(); ++k) {
      const std::size_t drawn = random.below(truth.size());
      x[k] = truth[drawn];
      y[k] = offered[drawn];
      z[k] = errors[drawn];
    }
    const double of_offered = rank_correlation(x, y), of_errors = rank_correlation(x, z);
    resampled[0].push_back(of_offered);
    resampled[1].push_back(of_errors);
    resampled[2].push_back(of_offered - of_errors);
  }
  const double of_offered = rank_correlation(truth, offered), of_errors = rank_correlation(truth, errors);
  return {interval_of(of_offered, std::move(resampled[0])), interval_of(of_errors, std::move(resampled[1])),
          interval_of(of_offered - of_errors, std::move(resampled[2]))};
}

ReproductionReport contribution_report(std::span<const MeasuredPool> pools) {
  ReproductionReport report;
  report.name = "contribution";
  Table& table = report.table;
  table.title = "What a heuristic adds: trained with and without it, and the offer test";
  table.columns = {{"set", "set", Format::kText},
                   {"family", "family", Format::kText},
                   {"trained", "trained with and without, % of the log-loss", Format::kDecimal, true},
                   {"seeds", "seeds", Format::kCount},
                   {"offered", "offer test, %", Format::kDecimal, true},
                   {"offer_seeds", "seeds", Format::kCount},
                   {"verdict", "verdict", Format::kText},
                   {"error", "short trainings, error", Format::kPercent, true}};
  for (const MeasuredPool& pool : pools) {
    for (const std::size_t k : by_trained_gain(pool)) {
      const MeasuredFamily& family = pool.families[k];
      table.rows.push_back({pool.set, family.name, trained_gain(family),
                            std::int64_t(family.trained.num_seeds()), offered_gain(family),
                            std::int64_t(family.offered.look.num_seeds),
                            std::string(to_string(family.verdict)), estimate(family.errors)});
    }
    add_remarks(pool, report.remarks);
  }
  if (!pools.empty()) report.svg = figure_of(table.title, pools);
  return report;
}

}  // namespace mash
