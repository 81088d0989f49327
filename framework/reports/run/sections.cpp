// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/run/sections.hpp"

#include <fmt/ranges.h>

#include <cmath>

#include "framework/render/line_chart.hpp"
#include "framework/render/wording.hpp"

namespace mash::sections {
namespace {

constexpr std::size_t kMaxLinePoints = 400;

Cell cell(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }
Cell cell(const std::optional<std::int64_t>& value) { return value ? Cell(*value) : Cell(); }

std::string seconds(const std::optional<double>& value) {
  return value ? fmt::format("{:.{}f} s", *value, *value < 10 ? 2 : 0) : "–";
}

// "test error" or "validation error".
std::string judging_error(const RunRecord& record) { return record.data.judging_side + " error"; }

std::string runs_detail(const RunRecord& record) {
  if (!record.mean_test_error)
    return record.data.judging_side == "test"
               ? fmt::format("on {} examples", record.data.num_test)
               : fmt::format("on {} examples of the {} side", record.data.num_test, record.data.judging_side);
  return fmt::format("{} over {} runs ({})", show(*record.mean_test_error, Format::kPercent), record.num_runs,
                     kHalfInterval);
}

std::string cost_detail(const RunRecord& record) {
  constexpr const char* kUnit = "features × examples that were looked at";
  if (!record.fe || record.num_rounds.value_or(0) == 0 || record.data.num_train == 0) return kUnit;
  const double per_round = double(*record.fe) / double(*record.num_rounds) / double(record.data.num_train);
  return fmt::format("{}; a round: {:.3g} × all training examples", kUnit, per_round);
}

// Boosters that learn one class against all others have as many rounds for each class.
std::string rounds_detail(const RunRecord& record) {
  const std::int64_t asked = record.booster->rounds;
  return record.num_rounds.value_or(0) > asked ? fmt::format("{} asked for, for each class", asked)
                                               : fmt::format("of {}", asked);
}

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::string curve_hover(const CurvePoint& point, std::string_view name, double value, Format format) {
  return fmt::format("round {}: {} {}", point.round, name, show(value, format));
}

LineChart error_chart(const RunRecord& record) {
  const std::string judging = judging_error(record);
  ChartSeries test{judging, {}}, train{"training error", {}};
  for (const CurvePoint& point : record.curve) {
    test.points.push_back({double(point.round), point.test_error,
                           curve_hover(point, judging, point.test_error, Format::kPercent)});
    train.points.push_back({double(point.round), point.train_error,
                            curve_hover(point, "training error", point.train_error, Format::kPercent)});
  }
  const CurvePoint &first = record.curve.front(), &last = record.curve.back();
  LineChart chart;
  chart.id = "error-chart";
  chart.title = "Error";
  chart.description = fmt::format(
      "{} goes from {} after round {} to {} after round {}; training error ends at {}.", capitalized(judging),
      show(first.test_error, Format::kPercent), first.round, show(last.test_error, Format::kPercent),
      last.round, show(last.train_error, Format::kPercent));
  chart.x_title = "round";
  chart.x_scale = Scale::kLog;
  chart.y_format = Format::kPercent;
  chart.y_from_zero = true;
  chart.series = {std::move(test), std::move(train)};
  return chart;
}

// The loss after each round, thinned to equal steps of the logarithmic axis; dots where the curve was
// measured.
ChartSeries loss_series(const RunRecord& record) {
  ChartSeries series{"training loss", {}};
  const double last_round = record.losses.empty() ? 1 : double(record.losses.back().round);
  const double step = std::pow(std::max(last_round, 1.0), 1.0 / double(kMaxLinePoints));
  double next = 0;
  std::size_t point_idx = 0;
  for (const auto& loss : record.losses) {
    while (point_idx < record.curve.size() && record.curve[point_idx].round < loss.round) ++point_idx;
    const bool is_point = point_idx < record.curve.size() && record.curve[point_idx].round == loss.round;
    if (!is_point && double(loss.round) < next) continue;
    next = double(loss.round) * step;
    series.points.push_back({double(loss.round), loss.train_loss_log10,
                             is_point ? curve_hover(record.curve[point_idx], "log10 of loss",
                                                    loss.train_loss_log10, Format::kDecimal)
                                      : ""});
  }
  return series;
}

LineChart loss_chart(const RunRecord& record) {
  LineChart chart;
  chart.id = "loss-chart";
  chart.title = "Training loss, log10";
  chart.x_title = "round";
  chart.x_scale = Scale::kLog;
  chart.series = {loss_series(record)};
  const auto& points = chart.series.front().points;
  if (!points.empty()) {
    chart.description = fmt::format(
        "The decimal logarithm of the training loss goes from {:.3g} after round {} to {:.3g} "
        "after round {}.",
        points.front().y, points.front().x, points.back().y, points.back().x);
  }
  return chart;
}

// The families of a learner whose scores are no sum of votes.
page::Piece families_without_shares(const RunRecord& record) {
  Table table;
  table.columns = {{"family", "family", Format::kText}, {"author", "author", Format::kText},
                   {"dim", "features", Format::kCount}, {"offered", "looked at", Format::kCount},
                   {"chosen", "used", Format::kCount},  {"us_per_image", "µs/image", Format::kDecimal},
                   {"faults", "faults", Format::kCount}};
  for (const RunRecord::Family& family : record.families)
    table.rows.push_back({family.name, family.heuristic.author, family.dim, family.offered, family.chosen,
                          family.microseconds_per_image, family.num_faults});
  return page::table(
      table,
      fmt::format("The scores of classifier {} are no sum of votes, so families have no shares of them, and "
                  "no order. Looked at: features that training read. Used: features that the model asks "
                  "for. Faults: values that were not finite.",
                  record.learner));
}

}  // namespace

page::Piece key_figures(const RunRecord& record) {
  const auto percent = [](const std::optional<double>& value) { return show(cell(value), Format::kPercent); };
  const double megabytes = double(record.peak_memory_bytes.value_or(0)) / double(1 << 20);
  const page::KeyFigure figures[] = {
      {capitalized(judging_error(record)), percent(record.test_error), runs_detail(record)},
      {"Training error", percent(record.train_error), fmt::format("on {} examples", record.data.num_train)},
      {"Training loss, log10", show(cell(record.train_loss_log10), Format::kDecimal),
       "mean over examples, as a power of ten: −2 is a hundredth"},
      {"Rounds", show(cell(record.num_rounds), Format::kCount),
       record.booster ? rounds_detail(record) : fmt::format("{} trains in one go", record.learner)},
      {"Cost", show(cell(record.fe), Format::kCount), cost_detail(record)},
      {"Training", seconds(record.train_seconds),
       record.num_threads == 1 ? "on 1 thread" : fmt::format("on {} threads", record.num_threads)},
      {"Extraction", seconds(record.extract_seconds), "of the features that were not stored"},
      {"Peak memory", record.peak_memory_bytes ? fmt::format("{:.0f} MiB", megabytes) : "–",
       "of the process"}};
  return page::key_figures(figures);
}

page::Piece family_leaderboard(const RunRecord& record) {
  if (!record.booster) return families_without_shares(record);
  Table table;
  table.columns = {{"rank", "place", Format::kCount},
                   {"family", "family", Format::kText},
                   {"author", "author", Format::kText},
                   {"dim", "features", Format::kCount},
                   {"share", "share of α", Format::kPercent},
                   {"chosen", "chosen", Format::kCount},
                   {"evaluated", "evaluated", Format::kCount},
                   {"loss_removed", "loss removed", Format::kDecimal},
                   {"us_per_image", "µs/image", Format::kDecimal},
                   {"faults", "faults", Format::kCount}};
  const double alpha_sum = record.alpha_sum();
  std::int64_t rank = 0;
  std::vector<std::string> unused;
  for (std::size_t i = 0; i < record.families.size(); ++i) {
    const auto& family = record.families[i];
    if (i == 0 || family.alpha_sum != record.families[i - 1].alpha_sum) rank = std::int64_t(i) + 1;
    if (family.chosen == 0 && family.num_faults == 0 && alpha_sum > 0) {
      unused.push_back(family.name);
      continue;
    }
    table.rows.push_back({rank, family.name, family.heuristic.author, family.dim,
                          share(family.alpha_sum, alpha_sum), family.chosen, family.evaluated,
                          family.loss_removed, family.microseconds_per_image, family.num_faults});
  }
  page::Piece out = page::table(
      table,
      "This run alone, one seed: the places say how much of the model each family is, and not what it would "
      "lose "
      "without; that are gains (mash report) and credits, by which mash leaderboard ranks. "
      "Share of α: the family's part of the sum of all votes' weights. Chosen: cuts of the model, each a "
      "feature compared with a threshold. Evaluated: feature values looked at. Loss removed: training loss "
      "removed by its rounds, in powers of ten: 0.3 halves it. Faults: values that were not finite.");
  if (!unused.empty())
    out +=
        page::note(fmt::format("{} never chosen: {}.", counted(unused.size(), "family was", "families were"),
                               fmt::join(unused, ", ")));
  return out;
}

page::Piece learning_curve(const RunRecord& record) {
  if (!record.booster)
    return page::note(fmt::format(
        "Classifier {} is trained in one go: there are no rounds, after which errors could be drawn.",
        record.learner));
  if (record.curve.empty() && record.losses.empty()) return page::note("No round is recorded.");
  std::vector<Plot> plots;
  if (!record.curve.empty()) plots.push_back(plot_of(error_chart(record)));
  if (!record.losses.empty()) plots.push_back(plot_of(loss_chart(record)));
  return page::plots(plots);
}

}  // namespace mash::sections
